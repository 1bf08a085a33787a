/** Bringing back a release whole. */
import assert from 'node:assert/strict'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'

export const rollbackCases: readonly ContractCase[] = [
  {
    title: 'restores environment, config files and secret versions of a release',
    rows: ['rollback', 'releases'],
    needs: ['exec'],
    async run(kit) {
      kit.harness.secrets.put('database', { url: 'old-url' })
      const web = (version: string) =>
        kit.service(
          {},
          {
            env: { V: version },
            configFiles: [{ name: 'app', path: kit.path('app.txt'), content: `config ${version}` }],
            secrets: [{ name: 'database', key: 'url', env: 'DATABASE_URL' }],
          },
        )
      const { release: first } = await kit.provision({ services: [web('1')] })
      kit.harness.secrets.put('database', { url: 'new-url' })
      const { release: second } = await kit.provision({ services: [web('2')] })
      assert.deepEqual([await kit.env('V'), await kit.env('DATABASE_URL')], ['2', 'new-url'])
      const back = await kit.settle(kit.provider.rollback(kit.ref(), first.id, kit.call))
      assert.equal(back.status.release, first.id)
      assert.deepEqual([await kit.env('V'), await kit.env('DATABASE_URL')], ['1', 'old-url'])
      assert.equal(await kit.read(kit.path('app.txt')), 'config 1')
      await kit.settle(kit.provider.rollback(kit.ref(), second.id, kit.call))
      assert.deepEqual([await kit.env('V'), await kit.env('DATABASE_URL')], ['2', 'new-url'])
    },
  },
  {
    title: 'restores the image of a release',
    rows: ['rollback'],
    needs: ['images', 'logs'],
    async run(kit) {
      assert.ok(kit.harness.image, 'the harness can make images')
      const one = await kit.harness.image({ prints: [{ stream: 'stdout', line: 'one' }] }, 'contract/back-one:1')
      const two = await kit.harness.image({ prints: [{ stream: 'stdout', line: 'two' }] }, 'contract/back-two:1')
      const { release } = await kit.provision({ services: [{ name: 'web', image: one }] })
      await kit.settle(kit.provider.deploy(kit.ref(), { services: [{ name: 'web', image: two }] }, kit.call))
      await kit.settle(kit.provider.rollback(kit.ref(), release.id, kit.call))
      assert.deepEqual(
        (await kit.lines()).map(({ line }) => line),
        ['one'],
      )
    },
  },
  {
    title: 'brings back the very image that a release ran, also when its tag has moved since',
    rows: ['rollback', 'releases'],
    needs: ['images', 'pinned images', 'logs'],
    async run(kit) {
      assert.ok(kit.harness.image, 'the harness can make images')
      const first = { prints: [{ stream: 'stdout', line: 'first' }] } as const
      const second = { prints: [{ stream: 'stdout', line: 'second' }] } as const
      const image = await kit.harness.image(first, 'contract/pinned:1')
      const { release } = await kit.provision({ services: [{ name: 'web', image, imagePullPolicy: 'always' }] })
      assert.notEqual(release.images.web ?? image, image, 'the release keeps more than the tag')
      await kit.harness.image(second, 'contract/pinned:1')
      await kit.settle(kit.provider.restart(kit.ref(), kit.call))
      assert.deepEqual(await spoken(kit), ['first'], 'a restart is no deploy')
      await kit.settle(kit.provider.deploy(kit.ref(), { services: [{ name: 'web', image }] }, kit.call))
      assert.deepEqual(await spoken(kit), ['second'])
      await kit.settle(kit.provider.rollback(kit.ref(), release.id, kit.call))
      assert.deepEqual(await spoken(kit), ['first'])
    },
  },
  {
    title: 'replaces the processes at a rollback, and keeps the number of replicas',
    rows: ['rollback'],
    async run(kit) {
      const { release } = await kit.provision({ replicas: 1 })
      await kit.settle(kit.provider.deploy(kit.ref(), { services: [{ name: 'web', env: { V: '2' } }] }, kit.call))
      await kit.settle(kit.provider.scale(kit.ref(), { replicas: 2 }, kit.call))
      const before = (await kit.processes()).map(({ processId }) => processId)
      await kit.settle(kit.provider.rollback(kit.ref(), release.id, kit.call))
      const after = (await kit.processes()).map(({ processId }) => processId)
      assert.equal(after.length, 2)
      assert.deepEqual(
        after.filter((id) => before.includes(id)),
        [],
      )
    },
  },
  {
    title: 'refuses a release of another instance, and one that never was',
    rows: ['rollback'],
    async run(kit) {
      await kit.provision()
      const { release } = await kit.provision({}, kit.ref('other'))
      const before = (await kit.processes()).map(({ processId }) => processId)
      await kit.refused(kit.provider.rollback(kit.ref(), release.id, kit.call), 'release_of_another')
      await kit.refused(kit.provider.rollback(kit.ref(), 'never-was', kit.call), 'release_not_found')
      assert.deepEqual(
        (await kit.processes()).map(({ processId }) => processId),
        before,
      )
    },
  },
  {
    title: 'inherits from the release that runs after a rollback, not from the highest number',
    rows: ['releases', 'rollback'],
    needs: ['exec'],
    async run(kit) {
      const services = [kit.service({}, { env: { V: '1' } }), kit.service({}, { name: 'helper', role: 'sidecar' })]
      const { release } = await kit.provision({ services })
      await kit.settle(kit.provider.deploy(kit.ref(), { services: [{ name: 'web', env: { V: '2' } }] }, kit.call))
      await kit.settle(kit.provider.rollback(kit.ref(), release.id, kit.call))
      const deployed = await kit.settle(
        kit.provider.deploy(kit.ref(), { services: [{ name: 'helper', env: { H: '1' } }] }, kit.call),
      )
      assert.equal(await kit.env('V'), '1')
      assert.equal(deployed.release.version, 3)
      const all = await kit.settle(kit.provider.releases(kit.ref(), kit.call))
      assert.deepEqual(
        all.map(({ version }) => version),
        [1, 2, 3],
      )
    },
  },
]

async function spoken(kit: Kit): Promise<string[]> {
  const lines = await kit.eventually('it has spoken', async () => {
    const read = await kit.lines()
    return read.length > 0 && read
  })
  return lines.map(({ line }) => line)
}
