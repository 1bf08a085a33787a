/** For engines where a workload has an address that no edge stands before: who is behind it. */
import assert from 'node:assert/strict'
import type { Slot, TrafficWeights } from '../ref.ts'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'

const ports = [{ name: 'http', port: 8080 }]

export const trafficCases: readonly ContractCase[] = [
  {
    title: 'sends what is asked of a workload to the slot that has it all, also after the other is converged again',
    rows: ['capabilities', 'deploy'],
    needs: ['traffic', 'strategy:blue-green'],
    async run(kit) {
      await both(kit)
      await isBehind(kit, ['a'], 'the one that came first')
      await share(kit, { a: 0, b: 100 })
      await isBehind(kit, ['b'], 'the other one')
      await provision(kit, 'a')
      await isBehind(kit, ['b'], 'what was set stays')
      await share(kit, { a: 100, b: 0 })
      await isBehind(kit, ['a'], 'back again')
    },
  },
  {
    title: 'lets both slots of a workload answer while both have a share',
    rows: ['capabilities', 'deploy'],
    needs: ['traffic', 'strategy:canary'],
    async run(kit) {
      await both(kit)
      await share(kit, { a: 90, b: 10 })
      await isBehind(kit, ['a', 'b'], 'both of them')
      await share(kit, { a: 0, b: 100 })
      await isBehind(kit, ['b'], 'the new one alone')
    },
  },
  {
    title: 'leaves all that is asked of a workload to the other slot when one is removed',
    rows: ['capabilities', 'deprovision'],
    needs: ['traffic', 'strategy:blue-green'],
    async run(kit) {
      await both(kit)
      await share(kit, { a: 50, b: 50 })
      await kit.gone(kit.ref('web', 'a'))
      await isBehind(kit, ['b'], 'who is left')
      await kit.gone(kit.ref('web', 'b'))
      await isBehind(kit, [], 'nobody')
    },
  },
  {
    title: 'gives nothing to a slot that is not there, and has nothing to share where there is no port',
    rows: ['capabilities'],
    needs: ['traffic'],
    async run(kit) {
      await provision(kit, 'a')
      const { traffic } = kit.harness.engine
      const pass = await kit.settle(traffic?.(workload(kit), { a: 0, b: 100 }, kit.call) ?? Promise.reject())
      assert.equal(pass.state, 'yield', 'it waits for the other')
      await isBehind(kit, ['a'], 'who was there')
      await kit.provision({}, kit.ref('silent'))
      const { slot: _, ...silent } = kit.ref('silent')
      const none = await kit.settle(traffic?.(silent, { a: 100, b: 0 }, kit.call) ?? Promise.reject())
      assert.equal(none.state, 'done')
    },
  },
]

const workload = (kit: Kit) => {
  const { slot: _, ...whole } = kit.ref()
  return whole
}

async function provision(kit: Kit, slot: Slot): Promise<void> {
  await kit.provision({ services: [kit.service({ listens: 'http' }, { ports })] }, kit.ref('web', slot))
}

async function both(kit: Kit): Promise<void> {
  for (const slot of ['a', 'b'] as const) await provision(kit, slot)
}

async function share(kit: Kit, weights: TrafficWeights): Promise<void> {
  await kit.eventually(`traffic is ${JSON.stringify(weights)}`, async () => {
    const { engine } = kit.harness
    assert.ok(engine.traffic, 'the engine has traffic')
    return (await kit.settle(engine.traffic(workload(kit), weights, kit.call))).state === 'done'
  })
}

async function isBehind(kit: Kit, slots: readonly Slot[], what: string): Promise<void> {
  const { trafficTo } = kit.harness
  assert.ok(trafficTo, 'the harness sees who is behind a workload')
  await kit.eventually(what, async () => (await kit.settle(trafficTo(workload(kit)))).join() === slots.join())
}
