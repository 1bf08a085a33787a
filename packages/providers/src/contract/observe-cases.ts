/** Seeing what happens: a snapshot first, then every change, and a new snapshot after any gap. */
import assert from 'node:assert/strict'
import { refKey } from '../ref.ts'
import type { ContractCase } from './case.ts'
import { Watcher } from './watcher.ts'

export const observeCases: readonly ContractCase[] = [
  {
    title: 'begins with a snapshot of everything that is ours',
    rows: ['status'],
    async run(kit) {
      await kit.provision({}, kit.ref('one'))
      await kit.provision({ replicas: 2 }, kit.ref('two'))
      await kit.harness.foreign(kit.ref('theirs'))
      const watcher = new Watcher(kit)
      const first = await watcher.next((seen) => seen.length > 0 && seen[0])
      assert.equal(first.type, 'snapshot')
      const there = first.type === 'snapshot' ? first.instances : []
      const names = there.map(({ ref, replicas }) => `${ref.workload} ${replicas.length}`).sort()
      assert.deepEqual(names, ['one 1', 'two 2'])
      assert.equal(await watcher.leave(), 'the reason of the caller')
    },
  },
  {
    title: 'tells what changes and what goes, as it happens',
    rows: ['status'],
    async run(kit) {
      const watcher = new Watcher(kit)
      await kit.provision()
      const ready = await watcher.next((seen) =>
        seen.find((each) => each.type === 'changed' && each.instance.replicas.some((replica) => replica.ready)),
      )
      assert.equal(ready.type === 'changed' && refKey(ready.instance.ref), refKey(kit.ref()))
      await kit.gone()
      const gone = await watcher.next((seen) => seen.find((each) => each.type === 'gone'))
      assert.equal(gone.type === 'gone' && refKey(gone.ref), refKey(kit.ref()))
      await watcher.leave()
    },
  },
  {
    title: 'tells a crash without being asked',
    rows: ['status'],
    async run(kit) {
      const { replicas } = await kit.provision()
      const watcher = new Watcher(kit)
      await watcher.next((seen) => seen.length > 0 && seen[0])
      await kit.harness.crash(replicas[0]?.engineId ?? '', 'web')
      await watcher.next((seen) =>
        seen.find(
          (each) =>
            each.type === 'changed' && each.instance.replicas.some(({ services }) => services.web?.restarts === 1),
        ),
      )
      await watcher.leave()
    },
  },
  {
    title: 'says that it is blind, and gives a whole new snapshot after the gap',
    rows: ['status'],
    async run(kit) {
      const { replicas } = await kit.provision({ replicas: 2 })
      const watcher = new Watcher(kit)
      await watcher.next((seen) => seen.length > 0 && seen[0])
      await kit.harness.cut()
      await watcher.next((seen) => seen.find((each) => each.type === 'blind'))
      await kit.harness.vanish(replicas[0]?.engineId ?? '')
      await kit.harness.heal()
      const after = await watcher.next((seen) => {
        const blindAt = seen.findIndex((each) => each.type === 'blind')
        return seen.slice(blindAt + 1).find((each) => each.type === 'snapshot')
      })
      const seen = after.type === 'snapshot' ? (after.instances[0]?.replicas ?? []) : []
      const staying = seen.filter(({ terminating }) => !terminating).map(({ engineId }) => engineId)
      assert.equal(staying.includes(replicas[0]?.engineId ?? ''), false, 'what happened in the gap is in it')
      // Where the engine itself brings replicas back, another may be there already.
      if (kit.harness.engine.replicas) assert.equal(staying.length, 1)
      await watcher.leave()
    },
  },
  {
    title: 'is blind from the start when the engine is away, and shows no empty world',
    rows: ['status'],
    async run(kit) {
      await kit.provision()
      await kit.harness.cut()
      const watcher = new Watcher(kit)
      const first = await watcher.next((seen) => seen.length > 0 && seen[0])
      assert.equal(first.type, 'blind')
      await kit.harness.heal()
      const second = await watcher.next((seen) => seen.find((each) => each.type === 'snapshot'))
      assert.equal(second.type === 'snapshot' && second.instances.length, 1)
      await watcher.leave()
    },
  },
]
