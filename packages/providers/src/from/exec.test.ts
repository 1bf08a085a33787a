import { isFault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import type { Observed, Replica, ServicePhase } from '../observed.ts'
import { placeFor } from './exec.ts'

const replica = (index: number, phases: Record<string, ServicePhase>, terminating = false): Replica => ({
  engineId: `r${index}`,
  index,
  release: 'v1',
  specHash: 'h',
  ready: true,
  terminating,
  services: Object.fromEntries(
    Object.entries(phases).map(([name, phase]) => [
      name,
      { role: name === 'web' ? 'main' : 'sidecar', phase, ready: true, restarts: 0 } as const,
    ]),
  ),
  endpoints: [],
})

const seen = (...replicas: readonly Replica[]): Observed => ({
  ref: { tenant: 't', workload: 'w', uid: 'u', slot: 'a' },
  replicas,
  endpoints: [],
  drift: [],
  notEnforced: [],
  at: new Date(0),
})

const reasonOf = (work: () => unknown): string | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    return isFault(error) ? error.reason : String(error)
  }
}

describe('the place to run a command in', () => {
  it('is main of the first replica that runs it and stays', () => {
    const observed = seen(
      replica(0, { web: 'running' }, true),
      replica(1, { helper: 'running', web: 'crashed' }),
      replica(2, { helper: 'running', web: 'running' }),
    )
    expect(placeFor(observed, undefined, undefined)).toEqual({ engineId: 'r2', service: 'web' })
    expect(placeFor(observed, 'helper', undefined)).toEqual({ engineId: 'r1', service: 'helper' })
    expect(placeFor(observed, 'helper', 2)).toEqual({ engineId: 'r2', service: 'helper' })
  })

  it.each([
    ['replica_not_found', seen(replica(0, { web: 'running' })), undefined, 4],
    ['replica_not_found', seen(replica(0, { web: 'running' }, true)), undefined, 0],
    ['service_not_found', seen(replica(0, { web: 'running' })), 'nope', undefined],
    ['service_not_running', seen(replica(0, { web: 'crashed' })), undefined, undefined],
    ['service_not_running', seen(), undefined, undefined],
  ] as const)('is refused as %s', (reason, observed, service, index) => {
    expect(reasonOf(() => placeFor(observed, service, index))).toBe(reason)
  })
})
