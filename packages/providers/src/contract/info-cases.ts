/** Who it is, whether it is well, and which one of several. */
import assert from 'node:assert/strict'
import { capabilitiesOf } from '../capabilities.ts'
import { ProviderRegistry } from '../registry.ts'
import { always, troubled } from '../testing/faults.ts'
import type { ContractCase } from './case.ts'

export const infoCases: readonly ContractCase[] = [
  {
    title: 'reads its version from the engine that runs, and says nothing it does not know',
    rows: ['info', 'facts'],
    async run(kit) {
      const info = await kit.settle(kit.provider.info(kit.call))
      assert.equal(info.name, kit.provider.name)
      assert.match(info.version, /\d/)
      const { latitude, longitude } = info.location ?? {}
      assert.ok(latitude === undefined || latitude !== 0 || longitude !== 0, 'an unknown place is left out')
      await kit.harness.cut()
      const fault = await kit.refused(kit.provider.info(kit.call), 'engine_unreachable', 'engine_refused')
      assert.equal(fault.kind, 'unavailable')
    },
  },
  {
    title: 'answers a health check with how long it took and when',
    rows: ['health'],
    async run(kit) {
      const { clock } = kit.harness
      const health = await kit.settle(kit.provider.healthCheck({ timeoutMs: 5000 }, kit.call))
      assert.equal(health.healthy, true, health.message)
      assert.ok(health.latencyMs >= 0 && health.latencyMs <= 5000)
      assert.ok(Math.abs(clock.now() - health.checkedAt.getTime()) <= 5000)
    },
  },
  {
    title: 'is told to be unwell when it cannot be reached, and well again after',
    rows: ['health'],
    async run(kit) {
      await kit.harness.cut()
      const away = await kit.settle(kit.provider.healthCheck({ timeoutMs: 2000 }, kit.call))
      assert.equal(away.healthy, false)
      assert.notEqual(away.message, '')
      await kit.harness.heal()
      await kit.eventually('it is well again', async () => {
        return (await kit.settle(kit.provider.healthCheck({ timeoutMs: 2000 }, kit.call))).healthy
      })
    },
  },
  {
    title: 'ends a health check at its deadline when the engine accepts and never answers',
    rows: ['health'],
    async run(kit) {
      const { engine, clock } = kit.harness
      const provider = kit.harness.over(troubled(engine, clock, always(['info', 'look'], { do: 'hang' })))
      const health = await kit.settle(provider.healthCheck({ timeoutMs: 300 }, kit.call))
      assert.equal(health.healthy, false)
      assert.ok(health.latencyMs >= 295, 'it waited as long as it was told')
      assert.match(health.message, /300 ms/)
    },
  },
  {
    title: 'leaves a health check with the reason of the caller',
    rows: ['health'],
    async run(kit) {
      const { engine, clock } = kit.harness
      const provider = kit.harness.over(troubled(engine, clock, always(['info', 'look'], { do: 'hang' })))
      const leave = new AbortController()
      const reason = new Error('shutting down')
      const work = provider.healthCheck({ timeoutMs: 60_000 }, { signal: leave.signal })
      leave.abort(reason)
      await assert.rejects(kit.settle(work), (error) => error === reason)
    },
  },
  {
    title: 'is found under the name it was registered with, beside another of its type',
    rows: ['registry', 'info'],
    async run(kit) {
      const registry = new ProviderRegistry()
      registry.register('north', kit.provider)
      registry.register('south', kit.harness.over(kit.harness.engine))
      assert.deepEqual(registry.list(), ['north', 'south'])
      assert.equal(registry.default().name, 'north')
      registry.setDefault('south')
      assert.equal(registry.default().name, 'south')
      for (const [name, provider] of registry.all()) {
        assert.equal((await kit.settle(provider.info(kit.call))).name, name)
        assert.equal(registry.get((await kit.settle(provider.info(kit.call))).name), provider)
        assert.deepEqual(capabilitiesOf(provider), capabilitiesOf(kit.provider))
      }
      await kit.refused(
        Promise.resolve().then(() => registry.get('west')),
        'provider_not_found',
      )
    },
  },
]
