/** Single replicas, for engines whose order and readiness are the shared replica set's business. */
import assert from 'node:assert/strict'
import type { ReplicaHands } from '../engine.ts'
import type { Pass } from '../pass.ts'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'

export const replicaCases: readonly ContractCase[] = [
  {
    title: 'makes a replica by its number, once however often it is asked',
    rows: ['provision'],
    needs: ['replicas'],
    async run(kit) {
      const desired = kit.desired({ replicas: 3 })
      await until(kit, (hands) => hands.create(desired, 2, kit.call))
      await until(kit, (hands) => hands.create(desired, 2, kit.call))
      const [only, ...others] = await seen(kit)
      assert.deepEqual(others, [])
      assert.deepEqual([only?.index, only?.specHash], [2, desired.specHash])
      await kit.eventually('it becomes ready', async () => (await seen(kit))[0]?.ready)
    },
  },
  {
    title: 'stops a replica in its grace, and makes an end of one that ignores it',
    rows: ['lifecycle'],
    needs: ['replicas'],
    async run(kit) {
      const web = { ports: [{ name: 'http', port: 8080 }], healthCheck: { http: { port: 'http' } } }
      const desired = kit.desired({ services: [kit.service({ ignoresTerm: true, listens: 'http' }, web)] })
      await until(kit, (hands) => hands.create(desired, 0, kit.call))
      // Far enough to ignore anything.
      await kit.eventually('it is ready', async () => (await seen(kit))[0]?.ready)
      const [replica] = await seen(kit)
      assert.ok(replica)
      const begun = kit.harness.clock.monotonic()
      await until(kit, (hands) => hands.stop(replica.engineId, 1000, kit.call))
      assert.ok(kit.harness.clock.monotonic() - begun >= 990, 'it had its grace')
      assert.deepEqual(await kit.processes(), [])
    },
  },
  {
    title: 'removes a replica by the engine’s id, leaves the others, and takes absence for done',
    rows: ['deprovision'],
    needs: ['replicas'],
    async run(kit) {
      const desired = kit.desired({ replicas: 2 })
      for (const index of [0, 1]) await until(kit, (hands) => hands.create(desired, index, kit.call))
      const [first, second] = await seen(kit)
      assert.ok(first && second)
      await until(kit, (hands) => hands.remove(first.engineId, kit.call))
      await until(kit, (hands) => hands.remove(first.engineId, kit.call))
      assert.deepEqual(
        (await seen(kit)).map(({ engineId }) => engineId),
        [second.engineId],
      )
    },
  },
]

async function until(kit: Kit, pass: (hands: ReplicaHands) => Promise<Pass>): Promise<void> {
  const hands = kit.harness.engine.replicas
  assert.ok(hands, 'the engine has hands for single replicas')
  await kit.eventually('the pass is done', async () => (await kit.settle(pass(hands))).state === 'done')
}

const seen = async (kit: Kit) => (await kit.settle(kit.harness.engine.look(kit.ref(), kit.call)))?.replicas ?? []
