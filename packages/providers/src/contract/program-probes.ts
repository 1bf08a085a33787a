/** The fields of a service that say what runs, as whom and where. */
import assert from 'node:assert/strict'
import type { ServiceSpec } from '@gantry/core'
import { after, at, type FieldProbe, one } from './field-probe.ts'

export const programProbes = {
  name: {
    path: at('name'),
    input: (kit) => one(kit, { name: 'a-name-with-dashes-9' }),
    verify: after(async (kit) =>
      assert.deepEqual(Object.keys((await kit.status()).services), ['a-name-with-dashes-9']),
    ),
  },
  role: {
    path: at('role'),
    input: (kit) => ({ services: [kit.service({}, { role: '' })] }),
    verify: after(async (kit) => assert.equal((await kit.status()).ready, true)),
  },
  image: {
    needs: ['images', 'logs'],
    path: at('image'),
    input: async (kit) => {
      const image = await kit.harness.image?.({ prints: [{ stream: 'stdout', line: 'by itself' }] }, 'contract/field:1')
      return { services: [{ name: 'web', ...(image === undefined ? {} : { image }) }] }
    },
    verify: after(async (kit) => {
      await kit.eventually('the image runs', async () => (await kit.lines()).some(({ line }) => line === 'by itself'))
    }),
  },
  imagePullPolicy: {
    needs: ['images'],
    path: at('imagePullPolicy'),
    async input(kit) {
      const image = await kit.harness.image?.({}, 'contract/never-pulled:1')
      return one(kit, { ...(image === undefined ? {} : { image }), imagePullPolicy: 'never' })
    },
    async verify(kit, input) {
      const work = kit.provider.provision({ ref: kit.ref(), spec: kit.spec(input) }, kit.call)
      await kit.refused(work, 'image_pull_failed')
    },
  },
  imagePullSecret: {
    needs: ['images'],
    path: at('imagePullSecret'),
    async input(kit) {
      const login = { username: 'me', password: 'open sesame' }
      kit.harness.secrets.put('registry', login)
      // Where there are no images this is refused whatever it is called.
      const image = (await kit.harness.privateImage?.({}, login)) ?? 'private.invalid/app:1'
      return { services: [{ name: 'web', image, imagePullSecret: 'registry', imagePullPolicy: 'always' }] }
    },
    async verify(kit, input) {
      assert.ok(kit.harness.privateImage, 'the harness can make an image private')
      const [service] = input.services ?? []
      assert.ok(service)
      const { imagePullSecret: _, ...without } = service
      const spec = kit.spec({ services: [without] })
      await kit.refused(kit.provider.provision({ ref: kit.ref('no'), spec }, kit.call), 'image_pull_failed')
      await kit.provision(input)
    },
  },
  command: {
    needs: ['logs'],
    path: at('command'),
    input: (kit) => ({ services: [kit.service({ prints: [{ stream: 'stdout', line: 'commanded' }] })] }),
    verify: after(async (kit) => {
      await kit.eventually('the command runs', async () => (await kit.lines()).some(({ line }) => line === 'commanded'))
    }),
  },
  args: {
    needs: ['logs'],
    path: at('args'),
    input: (kit) => ({ services: [kit.service({ printsArgs: true }, { args: ['one', 'two words', '$HOME;*', ''] })] }),
    verify: after(async (kit) => {
      const lines = await kit.eventually('all arguments are told', async () => {
        const read = await kit.lines()
        return read.length >= 4 && read
      })
      assert.deepEqual(
        lines.map(({ line }) => line),
        ['arg one', 'arg two words', 'arg $HOME;*', 'arg '],
      )
    }),
  },
  workingDir: {
    needs: ['exec'],
    path: at('workingDir'),
    input: (kit) => one(kit, { workingDir: kit.harness.workingDir }),
    verify: after(async (kit) => {
      assert.equal((await kit.run({ do: 'where' })).stdout.trim(), kit.harness.workingDir)
    }),
  },
  user: {
    needs: ['exec'],
    path: at('user'),
    input: (kit) => one(kit, { user: kit.harness.user ?? '1000:1000' }),
    verify: after(async (kit) => {
      assert.equal((await kit.run({ do: 'who' })).stdout.trim(), kit.harness.user ?? '1000:1000')
    }),
  },
  env: {
    needs: ['exec'],
    path: at('env'),
    input: (kit) => one(kit, { env: { GREETING: 'hello  "world" $HOME', NUMBER: 7, YES: true, EMPTY: '' } }),
    verify: after(async (kit) => {
      const seen = [await kit.env('GREETING'), await kit.env('NUMBER'), await kit.env('YES'), await kit.env('EMPTY')]
      assert.deepEqual(seen, ['hello  "world" $HOME', '7', 'true', ''])
    }),
  },
} as const satisfies Partial<Record<keyof ServiceSpec, FieldProbe>>
