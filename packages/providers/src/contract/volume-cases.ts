/** What outlives a replica, and what does not. */
import assert from 'node:assert/strict'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'

const stateful = (kit: Kit, more: { retain?: boolean; replicas?: number } = {}) => ({
  type: 'stateful_set' as const,
  replicas: more.replicas ?? 1,
  services: [
    kit.service({}, { volumes: [{ name: 'data', path: kit.path('data'), retain: more.retain ?? true, size: '16Mi' }] }),
  ],
})

export const volumeCases: readonly ContractCase[] = [
  {
    title: 'gives each replica of a stateful set its own storage, and keeps it through restarts',
    rows: ['kinds', 'shapes'],
    needs: ['volumes', 'exec'],
    async run(kit) {
      await kit.provision(stateful(kit, { replicas: 2 }))
      for (const replica of [0, 1]) await kit.write(kit.path('data/who'), `replica ${replica}`, { replica })
      await kit.settle(kit.provider.restart(kit.ref(), kit.call))
      await kit.settle(kit.provider.stop(kit.ref(), kit.call))
      await kit.settle(kit.provider.start(kit.ref(), kit.call))
      for (const replica of [0, 1])
        assert.equal(await kit.read(kit.path('data/who'), { replica }), `replica ${replica}`)
      const { volumes } = await kit.harness.truth(kit.ref())
      assert.deepEqual(volumes.map((volume) => volume.replica).sort(), [0, 1])
    },
  },
  {
    title: 'keeps the identity of stateful replicas: stable numbers, the highest replaced first',
    rows: ['kinds'],
    async run(kit) {
      await kit.provision({ type: 'stateful_set', replicas: 3 })
      const indexes = async (): Promise<number[]> => (await kit.processes()).map(({ replica }) => replica).sort()
      assert.deepEqual(await indexes(), [0, 1, 2])
      await kit.settle(kit.provider.deploy(kit.ref(), { services: [{ name: 'web', env: { V: '2' } }] }, kit.call))
      assert.deepEqual(await indexes(), [0, 1, 2])
      const starts = [...(await kit.processes())].sort((left, right) => left.startedAt - right.startedAt)
      assert.deepEqual(
        starts.map(({ replica }) => replica),
        [2, 1, 0],
      )
      await kit.settle(kit.provider.scale(kit.ref(), { replicas: 1 }, kit.call))
      assert.deepEqual(await indexes(), [0], 'the highest leave first')
    },
  },
  {
    title: 'keeps a retained volume when the instance goes, and finds it again when it comes back',
    rows: ['deprovision', 'shapes'],
    needs: ['volumes', 'exec'],
    async run(kit) {
      await kit.provision(stateful(kit))
      await kit.write(kit.path('data/note'), 'precious')
      await kit.gone()
      assert.equal((await kit.harness.truth(kit.ref())).volumes.length, 1)
      assert.equal(await kit.settle(kit.provider.status(kit.ref(), kit.call)), undefined, 'a volume is no instance')
      await kit.provision(stateful(kit))
      assert.equal(await kit.read(kit.path('data/note')), 'precious')
    },
  },
  {
    title: 'removes a volume that is not retained, and any when it is told to',
    rows: ['deprovision', 'shapes'],
    needs: ['volumes'],
    async run(kit) {
      await kit.provision(stateful(kit, { retain: false }))
      await kit.gone()
      assert.deepEqual((await kit.harness.truth(kit.ref())).volumes, [])
      await kit.provision(stateful(kit, { retain: true }))
      await kit.settle(kit.provider.deprovision(kit.ref(), { retained: 'delete' }, kit.call))
      assert.deepEqual((await kit.harness.truth(kit.ref())).volumes, [])
    },
  },
  {
    title: 'keeps the storage of a replica that was scaled away for when it is scaled back',
    rows: ['kinds', 'scale'],
    needs: ['volumes', 'exec'],
    async run(kit) {
      await kit.provision(stateful(kit, { replicas: 2 }))
      await kit.write(kit.path('data/note'), 'of the second', { replica: 1 })
      await kit.settle(kit.provider.scale(kit.ref(), { replicas: 1 }, kit.call))
      await kit.settle(kit.provider.scale(kit.ref(), { replicas: 2 }, kit.call))
      assert.equal(await kit.read(kit.path('data/note'), { replica: 1 }), 'of the second')
    },
  },
  {
    title: 'shares an ephemeral volume among the services of a replica, and with nobody else',
    rows: ['shapes', 'kinds'],
    needs: ['exec'],
    async run(kit) {
      const volumes = [{ name: 'shared', path: kit.path('shared') }]
      const helper = kit.service({}, { name: 'helper', role: 'sidecar', volumes })
      await kit.provision({ replicas: 2, services: [kit.service({}, { volumes }), helper] })
      await kit.write(kit.path('shared/note'), 'for siblings', { replica: 0 })
      const read = (replica: number, service: string) => kit.read(kit.path('shared/note'), { replica, service })
      assert.equal(await read(0, 'helper'), 'for siblings')
      assert.equal(await read(1, 'web'), undefined)
      await kit.settle(kit.provider.restart(kit.ref(), kit.call))
      assert.equal(await kit.read(kit.path('shared/note')), undefined, 'it is gone with its replica')
    },
  },
  {
    title: 'gives a volume in memory, which no replica leaves to the next',
    rows: ['shapes'],
    needs: ['exec', 'memory volumes'],
    async run(kit) {
      const volumes = [{ name: 'fast', path: kit.path('fast'), type: 'memory' as const, size: '4Mi' }]
      const input = { services: [kit.service({}, { volumes })] }
      await kit.provision(input)
      await kit.write(kit.path('fast/note'), 'quick')
      assert.equal(await kit.read(kit.path('fast/note')), 'quick')
      await kit.settle(kit.provider.restart(kit.ref(), kit.call))
      assert.equal(await kit.read(kit.path('fast/note')), undefined)
    },
  },
  {
    title: 'shows a folder of the machine to a service',
    rows: ['shapes'],
    needs: ['exec', 'host volumes'],
    async run(kit) {
      assert.ok(kit.harness.hostFolder)
      const folder = await kit.harness.hostFolder()
      await folder.write('note', 'from outside')
      const volumes = [{ name: 'host', path: kit.path('host'), type: 'host' as const, source: folder.path }]
      const input = { services: [kit.service({}, { volumes })] }
      await kit.provision(input)
      assert.equal(await kit.read(kit.path('host/note')), 'from outside')
    },
  },
]
