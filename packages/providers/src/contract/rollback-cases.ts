/** Bringing back a release whole. */
import assert from 'node:assert/strict'
import type { ContractCase } from './case.ts'

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
