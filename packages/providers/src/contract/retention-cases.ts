/** What one workload leaves to the next of its name. Engines know instances by uid, and users know theirs by name. */
import assert from 'node:assert/strict'
import { contentHash } from '../content-hash.ts'
import type { Ref } from '../ref.ts'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'

const stateful = (kit: Kit, replicas = 1) => ({
  type: 'stateful_set' as const,
  replicas,
  services: [kit.service({}, { volumes: [{ name: 'data', path: kit.path('data'), size: '16Mi' }] })],
})

/** Another object of the same name: what is made by whoever deletes a workload and applies its file again. */
const anew = (ref: Ref, more: Partial<Ref> = {}): Ref => {
  const next = { ...ref, ...more }
  return { ...next, uid: contentHash([next, 'anew']).slice(0, 12) }
}

const removeAll = (kit: Kit, ref: Ref): Promise<void> =>
  kit.settle(kit.provider.deprovision(ref, { retained: 'delete' }, kit.call))

export const retentionCases: readonly ContractCase[] = [
  {
    title: 'gives what a workload left in its volumes to the next of its name, replica by replica',
    rows: ['deprovision', 'kinds', 'shapes'],
    needs: ['volumes', 'exec'],
    async run(kit) {
      const next = anew(kit.ref())
      await kit.provision(stateful(kit, 2))
      for (const replica of [0, 1]) await kit.write(kit.path('data/who'), `replica ${replica}`, { replica })
      await kit.gone()
      await kit.provision(stateful(kit, 2), next)
      for (const replica of [0, 1])
        assert.equal(await kit.read(kit.path('data/who'), { replica }, next), `replica ${replica}`)
      await kit.write(kit.path('data/more'), 'of the second life', { replica: 0 }, next)
      const { volumes } = await kit.harness.truth(next)
      assert.deepEqual(volumes.map((volume) => volume.replica).sort(), [0, 1], 'they are the same, and no others')
    },
  },
  {
    title: 'gives what a workload left to no other name, and to no other tenant',
    rows: ['deprovision', 'shapes'],
    needs: ['volumes', 'exec'],
    async run(kit) {
      await kit.provision(stateful(kit))
      await kit.write(kit.path('data/note'), 'for its heir alone')
      await kit.gone()
      for (const other of [anew(kit.ref(), { workload: 'wed' }), anew(kit.ref(), { tenant: 'neighbour' })]) {
        await kit.provision(stateful(kit), other)
        assert.equal(await kit.read(kit.path('data/note'), {}, other), undefined)
        await removeAll(kit, other)
      }
      const next = anew(kit.ref())
      await kit.provision(stateful(kit), next)
      assert.equal(await kit.read(kit.path('data/note'), {}, next), 'for its heir alone', 'nor is it taken by them')
    },
  },
  {
    title: 'leaves nothing to the next of its name when what is retained shall go too, whoever had it',
    rows: ['deprovision', 'shapes'],
    needs: ['volumes', 'exec'],
    async run(kit) {
      const [second, third] = [anew(kit.ref()), anew(anew(kit.ref()))]
      await kit.provision(stateful(kit, 2))
      for (const replica of [0, 1]) await kit.write(kit.path('data/note'), 'of the first life', { replica })
      await kit.gone()
      await kit.provision(stateful(kit, 1), second)
      await removeAll(kit, second)
      assert.deepEqual((await kit.harness.truth(second)).volumes, [], 'also of the replica that it never had itself')
      await kit.provision(stateful(kit, 2), third)
      for (const replica of [0, 1]) assert.equal(await kit.read(kit.path('data/note'), { replica }, third), undefined)
    },
  },
  {
    title: 'takes no volume from one that still runs under its name, and loses none to its removal',
    rows: ['provision', 'deprovision', 'shapes'],
    needs: ['volumes', 'exec'],
    async run(kit) {
      const { engine } = kit.harness
      const next = anew(kit.ref())
      await kit.provision(stateful(kit))
      await kit.write(kit.path('data/note'), 'in use')
      const desired = kit.desired(stateful(kit), next)
      const isDone = async () => (await kit.settle(engine.converge(desired, kit.call))).state === 'done'
      for (const _ of [1, 2, 3]) {
        assert.equal(await isDone(), false, 'it waits for the one that has them')
        await kit.pass(100)
      }
      assert.deepEqual(await kit.processes(next), [])
      assert.equal(await kit.read(kit.path('data/note')), 'in use')
      await kit.gone()
      await kit.eventually('the next one has them', isDone)
      assert.equal((await kit.processes(next)).length, 1)
      await removeAll(kit, kit.ref())
      await kit.provision(stateful(kit), next)
      assert.equal(await kit.read(kit.path('data/note'), {}, next), 'in use')
    },
  },
]
