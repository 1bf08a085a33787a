import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  aggregate,
  type InstanceState,
  instanceStates,
  type ServiceOutlook,
  worstReady,
  worstState,
} from './instance-state.ts'

const service = (role: ServiceOutlook['role'], state: InstanceState, ready: boolean | undefined): ServiceOutlook => ({
  role,
  state,
  ready,
})

describe('the worst of several states', () => {
  it.each<[InstanceState[], InstanceState | undefined]>([
    [[], undefined],
    [['running'], 'running'],
    [['running', 'failed', 'destroying'], 'failed'],
    [['running', 'starting'], 'starting'],
    [['starting', 'provisioning'], 'provisioning'],
    [['running', 'stopped'], 'stopped'],
    [['stopped', 'stopping'], 'stopping'],
    [['running', 'destroyed'], 'destroyed'],
  ])('of %j is %s', (states, worst) => {
    expect(worstState(states)).toBe(worst)
  })

  it('does not depend on their order, and is one of them', () => {
    const some = fc.array(fc.constantFrom(...instanceStates), { minLength: 1 })
    fc.assert(
      fc.property(some, (states) => {
        const worst = worstState(states)
        expect(states).toContain(worst)
        expect(worstState(states.toReversed())).toBe(worst)
        expect(worstState([...states, 'running'])).toBe(worst)
      }),
    )
  })
})

describe('readiness of several', () => {
  it.each<[(boolean | undefined)[], boolean | undefined]>([
    [[true, true], true],
    [[true, undefined], undefined],
    [[undefined, false], false],
    [[false, true], false],
    [[], true],
  ])('of %j is %s: no outweighs unknown, and unknown outweighs yes', (all, worst) => {
    expect(worstReady(all)).toBe(worst)
  })
})

describe('a replica of several services', () => {
  it('is running and ready when main and sidecars are, and init is done', () => {
    const all = [
      service('init', 'stopped', false),
      service('main', 'running', true),
      service('sidecar', 'running', true),
    ]
    expect(aggregate(all)).toEqual({ state: 'running', ready: true })
  })

  it('is starting while an init service runs, and not ready, even if that says it is', () => {
    const all = [service('init', 'running', true), service('main', 'provisioning', false)]
    expect(aggregate(all)).toEqual({ state: 'provisioning', ready: false })
    expect(aggregate([service('init', 'running', true)])).toEqual({ state: 'starting', ready: false })
  })

  it('has failed when an init service has', () => {
    expect(aggregate([service('init', 'failed', false), service('main', 'provisioning', false)])?.state).toBe('failed')
  })

  it('is stopped when main is, though the sidecar still runs', () => {
    expect(aggregate([service('main', 'stopped', false), service('sidecar', 'running', true)])).toEqual({
      state: 'stopped',
      ready: false,
    })
  })

  it('is of unknown readiness when one of them could not be looked at', () => {
    expect(aggregate([service('main', 'running', true), service('sidecar', 'running', undefined)])).toEqual({
      state: 'running',
      ready: undefined,
    })
  })

  it('is in no state when there is nothing of it', () => {
    expect(aggregate([])).toBeUndefined()
  })
})
