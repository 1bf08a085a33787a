import { isFault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { capabilitiesOf } from './capabilities.ts'
import type { Provider } from './provider.ts'
import { ProviderRegistry } from './registry.ts'
import { simulatedHarness } from './testing/simulated-harness.ts'

const call = { signal: new AbortController().signal }

async function provider(): Promise<Provider> {
  return (await simulatedHarness()).provider
}

const reasonOf = (work: () => unknown): string => {
  try {
    work()
    return 'none'
  } catch (error) {
    return isFault(error) ? error.reason : 'not a fault'
  }
}

describe('the registry of providers', () => {
  it('keeps several of one type apart by the names they were registered under', async () => {
    const registry = new ProviderRegistry()
    registry.register('north', await provider())
    registry.register('south', await provider())
    expect(registry.list()).toEqual(['north', 'south'])
    expect((await registry.get('south').info(call)).name).toBe('south')
    expect(registry.get('north').name).toBe('north')
    expect((await registry.get('north').info(call)).type).toBe('simulated')
  })

  it('takes the first for the default, until told otherwise', async () => {
    const registry = new ProviderRegistry()
    expect(reasonOf(() => registry.default())).toBe('provider_not_found')
    registry.register('one', await provider())
    registry.register('two', await provider())
    expect(registry.default().name).toBe('one')
    registry.setDefault('two')
    expect(registry.default().name).toBe('two')
    expect(reasonOf(() => registry.setDefault('three'))).toBe('provider_not_found')
    expect(registry.default().name).toBe('two')
  })

  it('refuses a name that is taken, and forgets one that is unregistered', async () => {
    const registry = new ProviderRegistry()
    registry.register('one', await provider())
    const other = await provider()
    expect(reasonOf(() => registry.register('one', other))).toBe('already_exists')
    expect(registry.unregister('one')).toBe(true)
    expect(registry.unregister('one')).toBe(false)
    expect(reasonOf(() => registry.get('one'))).toBe('provider_not_found')
    expect(reasonOf(() => registry.default())).toBe('provider_not_found')
  })

  it('hands out a copy of all, which later registrations do not change', async () => {
    const registry = new ProviderRegistry()
    registry.register('one', await provider())
    const all = registry.all()
    registry.register('two', await provider())
    expect([...all.keys()]).toEqual(['one'])
  })

  it('renames without changing what it can do, also for a class with private fields', async () => {
    class Own {
      readonly #secret = 42
      readonly name = 'own'
      readonly declares = new Set(['gpu'] as const)
      async info() {
        return { name: this.name, type: 'own', version: String(this.#secret), limits: [] }
      }
      async provision() {
        return this.#secret
      }
    }
    const registry = new ProviderRegistry()
    registry.register('renamed', new Own() as unknown as Provider)
    const found = registry.get('renamed')
    expect(await found.info(call)).toMatchObject({ name: 'renamed', version: '42' })
    expect([...capabilitiesOf(found)].sort()).toEqual(['gpu', 'provision'])
  })
})
