/** Whose objects are whose: labels, foreigners, orphans, plans. */
import assert from 'node:assert/strict'
import { label } from '../labels.ts'
import { memoryRecords } from '../memory-records.ts'
import type { ContractCase } from './case.ts'

export const ownershipCases: readonly ContractCase[] = [
  {
    title: 'puts labels on every object that can carry them, and our own keys win',
    rows: ['labels'],
    async run(kit) {
      const volumes = kit.provider.declares.has('volumes')
        ? [{ name: 'data', path: kit.path('data'), type: 'persistent' as const }]
        : []
      const labels = { team: 'web', [label.installation]: 'stolen', [label.uid]: 'stolen' }
      // One at a time: an engine may give a persistent volume to no two replicas of one number, not even for a while.
      const input = { strategy: { maxSurge: 0 }, services: [kit.service({}, { volumes })] }
      await kit.provision(input, kit.ref(), labels)
      const { objects } = await kit.harness.truth(kit.ref())
      assert.ok(objects.length > 0)
      for (const { kind, labels: found } of objects) {
        if (found === undefined) continue
        assert.equal(found.team, 'web', kind)
        assert.equal(found[label.installation], kit.harness.installation, kind)
        assert.equal(found[label.uid], kit.ref().uid, kind)
        assert.equal(found[label.slot], 'a', kind)
      }
    },
  },
  {
    title: 'replaces nothing that runs for the sake of labels, and puts new ones on all that is made from then on',
    rows: ['labels'],
    async run(kit) {
      const ids = async () => (await kit.processes()).map(({ processId }) => processId).sort()
      await kit.provision({}, kit.ref(), { team: 'old' })
      const before = await ids()
      await kit.provision({}, kit.ref(), { team: 'new' })
      assert.deepEqual(await ids(), before)
      await kit.provision({ services: [kit.service({}, { env: { ANOTHER: 'one' } })] }, kit.ref(), { team: 'new' })
      assert.ok((await ids()).every((id) => !before.includes(id)))
      const { objects } = await kit.harness.truth(kit.ref())
      const teams = objects.flatMap(({ labels }) => (labels ? [labels.team] : []))
      assert.deepEqual(
        [...new Set(teams)].filter((team) => team !== 'new'),
        [],
      )
    },
  },
  {
    title: 'names a foreigner in its place instead of touching it',
    rows: ['provision', 'deprovision'],
    async run(kit) {
      const foreigner = await kit.harness.foreign(kit.ref())
      const work = kit.provider.provision({ ref: kit.ref(), spec: kit.spec() }, kit.call)
      const fault = await kit.refused(work, 'foreign_object')
      assert.equal(fault.kind, 'conflict')
      await kit.gone()
      assert.equal(await kit.harness.exists(foreigner), true)
      assert.equal(await kit.settle(kit.provider.status(kit.ref(), kit.call)), undefined, 'it is not ours to show')
    },
  },
  {
    title: 'leaves what belongs to others alone, also while it works beside them',
    rows: ['provision', 'deprovision'],
    async run(kit) {
      const foreigner = await kit.harness.foreign(kit.ref('theirs'))
      await kit.provision()
      assert.deepEqual(await kit.settle(kit.provider.orphans(kit.call)), [])
      await kit.gone()
      assert.equal(await kit.harness.exists(foreigner), true)
    },
  },
  {
    title: 'reports what is ours and on no record as an orphan, and removes it only when asked to',
    rows: ['deprovision'],
    async run(kit) {
      await kit.provision({ replicas: 2 }, kit.ref('lost'))
      const forgetful = kit.harness.over(kit.harness.engine, memoryRecords())
      const found = await kit.settle(forgetful.orphans(kit.call))
      assert.deepEqual(
        found.map(({ ref }) => ref),
        [kit.ref('lost')],
      )
      assert.equal((await kit.processes(kit.ref('lost'))).length, 2, 'reporting removes nothing')
      await kit.settle(forgetful.deprovision(kit.ref('lost'), {}, kit.call))
      await kit.assertUntouched(kit.ref('lost'))
      assert.deepEqual(await kit.settle(forgetful.orphans(kit.call)), [])
    },
  },
  {
    title: 'reports no orphans when it could not look',
    rows: ['deprovision', 'status'],
    async run(kit) {
      await kit.provision()
      await kit.harness.cut()
      const forgetful = kit.harness.over(kit.harness.engine, memoryRecords())
      await kit.refused(forgetful.orphans(kit.call), 'engine_unreachable', 'engine_refused')
    },
  },
  {
    title: 'plans nothing where nothing is to be done, and touches nothing by planning',
    rows: ['provision'],
    async run(kit) {
      const { engine } = kit.harness
      const desired = kit.desired({ replicas: 2 })
      const creations = engine.plan(desired, undefined)
      assert.ok(creations.length > 0 && creations.some(({ verb }) => verb === 'create'))
      await kit.assertUntouched()
      const pass = async (): Promise<boolean> => (await kit.settle(engine.converge(desired, kit.call))).state === 'done'
      await kit.eventually('it has converged', pass)
      const observed = await kit.settle(engine.look(kit.ref(), kit.call))
      assert.deepEqual(engine.plan(desired, observed), [])
      assert.equal(engine.plan({ ...desired, specHash: 'another' }, observed).length > 0, true)
      const removals = engine.plan(undefined, observed)
      assert.ok(removals.length > 0 && removals.every(({ verb }) => verb === 'remove' || verb === 'stop'))
    },
  },
  {
    title: 'carries release and hash on every replica, so that its own work is known again',
    rows: ['provision', 'releases'],
    async run(kit) {
      const { release } = await kit.provision({ replicas: 2 })
      const observed = await kit.settle(kit.harness.engine.look(kit.ref(), kit.call))
      assert.ok(observed)
      assert.deepEqual([...new Set(observed.replicas.map((each) => each.release))], [release.id])
      assert.equal(new Set(observed.replicas.map(({ specHash }) => specHash)).size, 1)
      assert.equal(new Set(observed.replicas.map(({ engineId }) => engineId)).size, 2)
    },
  },
]
