import type { StatusOf } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { instance } from '../controllers/testing/samples.ts'
import { slotFacts } from './slot-facts.ts'

type Replica = NonNullable<StatusOf<'Instance'>['replicas']>[number]

const service = { role: 'main', phase: 'running', ready: true, restarts: 0 } as const
const replica = (index: number, more: Partial<Replica> = {}): Replica => ({
  engineId: `r${index}`,
  index,
  release: 'v1',
  specHash: 'new',
  ready: true,
  terminating: false,
  services: { web: service },
  endpoints: [],
  ...more,
})

const blind = { reason: 'engine_unreachable', message: 'no answer', since: '2026-01-01T00:00:00.000Z' }

describe('what a rollout knows of a slot', () => {
  it('counts what is made of what is asked for apart from what is to go', () => {
    const replicas = [
      replica(0),
      replica(1, { ready: false }),
      replica(2, { specHash: 'old' }),
      replica(3, { terminating: true }),
    ]
    const facts = slotFacts(instance('a', { specHash: 'new', replicas, readyReplicas: 2 }))
    expect(facts).toMatchObject({ updated: 2, updatedReady: 1, others: 2, ready: 2 })
  })

  it('believes nothing that was said about another spec', () => {
    expect(slotFacts(instance('a', { settled: true })).settled).toBe(true)
    expect(slotFacts(instance('a', { settled: true, observedGeneration: 0 }))).toMatchObject({
      current: false,
      settled: false,
    })
  })

  it('does not know who is ready when nobody can look, but who was not is not', () => {
    expect(slotFacts(instance('a', { readyReplicas: 2, blind })).ready).toBeUndefined()
    expect(slotFacts(instance('a', { readyReplicas: 0, blind })).ready).toBe(0)
    expect(slotFacts(instance('a', { settled: true, blind })).settled).toBe(false)
    expect(slotFacts(instance('a')).ready).toBe(0)
  })

  it('sees processes of the release that ended, also if they run again, and no others', () => {
    const crashed = { ...service, phase: 'crashed', ready: false, exitCode: 3 } as const
    const restarted = { ...service, restarts: 1, startedAt: '2026-01-01T00:00:01.000Z' }
    const replicas = [
      replica(0, { services: { web: crashed, log: service } }),
      replica(1, { services: { web: restarted } }),
      replica(2, { services: { web: crashed }, specHash: 'old' }),
      replica(3, { services: { web: crashed }, terminating: true }),
    ]
    expect(slotFacts(instance('a', { specHash: 'new', replicas })).exits).toEqual([
      { service: 'web', replica: 0, engineId: 'r0', exitCode: 3 },
      { service: 'web', replica: 1, engineId: 'r1', startedAt: Date.UTC(2026, 0, 1, 0, 0, 1) },
    ])
  })

  it('wants none while stopped, and allows for what replicas take to stay ready and to end', () => {
    const update = { type: 'recreate', minReadySeconds: 5 } as const
    const spec = { run: 'stopped', replicas: 3, update, stopGraceSeconds: 20 } as const
    expect(slotFacts(instance('a', {}, spec))).toMatchObject({ wanted: 0, allowanceMs: 25_000 })
  })
})
