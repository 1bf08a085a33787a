/** For each field of a service: a spec that uses it, and what must then be so. */
import assert from 'node:assert/strict'
import type { DeclaredCapability, ServiceSpec } from '@gantry/core'
import type { Requirement } from './case.ts'
import type { Kit, SpecInput } from './kit.ts'
import type { Row } from './rows.ts'

export type FieldProbe = {
  readonly rows?: readonly Row[]
  readonly needs?: readonly Requirement[]
  /** Where a refusal points. */
  readonly path: string
  /** What the field asks for beyond the engine's own check. */
  readonly capability?: DeclaredCapability
  input(kit: Kit): SpecInput | Promise<SpecInput>
  verify(kit: Kit, input: SpecInput): Promise<void>
}

type ServiceInput = NonNullable<SpecInput['services']>[number]

const at = (field: string): string => `spec.services[0].${field}`
const one = (kit: Kit, more: Partial<ServiceInput>): SpecInput => ({ services: [kit.service({}, more)] })
const http = [{ name: 'http', port: 8080 }]
const mebi = 2 ** 20

/** Provisions, then asks. */
const after =
  (ask: (kit: Kit) => Promise<void>) =>
  async (kit: Kit, input: SpecInput): Promise<void> => {
    await kit.provision(input)
    await ask(kit)
  }

export const fieldProbes: Readonly<Record<keyof ServiceSpec, FieldProbe>> = {
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
      assert.ok(kit.harness.privateImage, 'the harness can make an image private')
      const login = { username: 'me', password: 'open sesame' }
      kit.harness.secrets.put('registry', login)
      const image = await kit.harness.privateImage({}, login)
      return { services: [{ name: 'web', image, imagePullSecret: 'registry', imagePullPolicy: 'always' }] }
    },
    async verify(kit, input) {
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
  ports: {
    rows: ['shapes', 'facts'],
    needs: ['exec'],
    path: at('ports'),
    input: (kit) => ({
      services: [
        kit.service({ listens: 'http' }, { ports: [...http, { name: 'my-admin', port: 9090, protocol: 'tcp' }] }),
      ],
    }),
    verify: after(async (kit) => {
      const { endpoints } = await kit.status()
      const found = endpoints.find(({ port }) => port === 'http')
      assert.ok(found)
      await kit.eventually('the port answers', () => kit.settle(kit.harness.dial(found)))
      assert.equal(endpoints.find(({ port }) => port === 'my-admin')?.protocol, 'tcp')
      assert.equal(await kit.env('PORT'), await kit.env('PORT_HTTP'))
      assert.match((await kit.env('PORT_MY_ADMIN')) ?? '', /^\d+$/)
      assert.equal(await kit.env('GANTRY_PORT_WEB_HTTP'), await kit.env('PORT'))
    }),
  },
  resources: {
    rows: ['shapes'],
    path: at('resources'),
    input: (kit) => one(kit, { resources: { cpu: '250m', memory: '64Mi' } }),
    verify: after(async (kit) => {
      const [limits] = (await kit.processes()).map((each) => each.limits)
      assert.deepEqual([limits?.cpuMillis, limits?.memoryBytes], [250, 64 * mebi])
    }),
  },
  requests: {
    path: at('requests'),
    input: (kit) => one(kit, { requests: { cpu: '50m', memory: '16Mi' } }),
    verify: after(async (kit) => {
      const [{ limits, requests } = { limits: {}, requests: {} }] = await kit.processes()
      assert.deepEqual(requests, { cpuMillis: 50, memoryBytes: 16 * mebi })
      assert.deepEqual([limits.cpuMillis, limits.memoryBytes], [undefined, undefined], 'what is set aside is no limit')
    }),
  },
  healthCheck: {
    needs: ['exec'],
    path: at('healthCheck'),
    input: (kit) => ({
      services: [
        kit.service(
          { healthyAfterMs: 800 },
          { healthCheck: { command: [...kit.harness.argv({ do: 'healthy' })], successThreshold: 1 } },
        ),
      ],
    }),
    async verify(kit, input) {
      const begun = kit.harness.clock.monotonic()
      await kit.provision(input)
      assert.ok(kit.harness.clock.monotonic() - begun >= 790, 'a command gates readiness')
    },
  },
  volumes: {
    rows: ['shapes'],
    needs: ['exec'],
    path: at('volumes'),
    input: (kit) => {
      const volumes = [{ name: 'scratch', path: kit.path('scratch'), type: 'ephemeral' as const }]
      return { services: [kit.service({}, { volumes }), kit.service({}, { name: 'helper', role: 'sidecar', volumes })] }
    },
    verify: after(async (kit) => {
      await kit.write(kit.path('scratch/note'), 'for siblings')
      assert.equal(await kit.read(kit.path('scratch/note'), { service: 'helper' }), 'for siblings')
    }),
  },
  configFiles: {
    rows: ['shapes'],
    needs: ['exec'],
    path: at('configFiles'),
    input: (kit) =>
      one(kit, {
        configFiles: [
          { name: 'app', path: kit.path('conf/app.json'), format: 'json', content: '{"a": 1}', mode: '0440' },
          { name: 'text', path: kit.path('conf/app.txt'), content: 'ünï\nsecond line' },
        ],
      }),
    verify: after(async (kit) => {
      assert.equal(await kit.read(kit.path('conf/app.json')), '{"a": 1}')
      assert.equal(await kit.read(kit.path('conf/app.txt')), 'ünï\nsecond line')
      assert.equal((await kit.run({ do: 'mode', path: kit.path('conf/app.json') })).stdout.trim(), '440')
    }),
  },
  secrets: {
    rows: ['facts'],
    needs: ['exec'],
    path: at('secrets'),
    input(kit) {
      kit.harness.secrets.put('database', { url: 'postgres://u:p@db/x', cert: '---cert---\n' })
      const file = kit.path('secret/cert')
      return one(kit, {
        secrets: [
          { name: 'database', key: 'url', env: 'DATABASE_URL' },
          { name: 'database', key: 'cert', file },
        ],
      })
    },
    verify: after(async (kit) => {
      assert.equal(await kit.env('DATABASE_URL'), 'postgres://u:p@db/x')
      assert.equal(await kit.read(kit.path('secret/cert')), '---cert---\n')
      const shown = JSON.stringify([await kit.status(), await kit.harness.engine.look(kit.ref(), kit.call)])
      assert.equal(shown.includes('postgres://'), false, 'it is shown nowhere')
      assert.match((await kit.run({ do: 'mode', path: kit.path('secret/cert') })).stdout, /^4[04]0/)
    }),
  },
  dependsOn: {
    rows: ['roles'],
    path: 'spec.services[1].dependsOn',
    input: (kit) => ({
      services: [
        kit.service(
          { listens: 'http', healthyAfterMs: 600 },
          { name: 'db', role: 'sidecar', ports: http, healthCheck: { http: { port: 'http' } } },
        ),
        kit.service({}, { dependsOn: [{ service: 'db', until: 'healthy' }] }),
      ],
    }),
    verify: after(async (kit) => {
      const [db] = await kit.processes(kit.ref(), 'db')
      const [web] = await kit.processes(kit.ref(), 'web')
      assert.ok(db && web && web.startedAt - db.startedAt >= 550, 'web waited for db to be healthy')
    }),
  },
  annotations: {
    path: at('annotations'),
    input: (kit) => one(kit, { annotations: { 'example.com/note': 'a note', 'gantry.dev/uid': 'stolen' } }),
    verify: after(async (kit) => {
      const { objects } = await kit.harness.truth(kit.ref())
      const noted = objects.filter(({ labels }) => labels?.['example.com/note'] === 'a note')
      const labelled = objects.some(({ labels }) => labels !== undefined)
      assert.ok(noted.length > 0 || !labelled, 'some object carries it')
      assert.ok(
        objects.every(({ labels }) => labels?.['gantry.dev/uid'] !== 'stolen'),
        'our own keys win',
      )
    }),
  },
}
