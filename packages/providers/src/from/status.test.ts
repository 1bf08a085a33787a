import { describe, expect, it } from 'vitest'
import type { Observed, Replica, ServiceObserved } from '../observed.ts'
import type { InstanceRecord } from '../records.ts'
import { stateForActions, statusOf } from './status.ts'

const ref = { tenant: 't', workload: 'web', uid: 'u', slot: 'a' } as const
const at = new Date(1_000)

const seen = (phase: ServiceObserved['phase'], more: Partial<ServiceObserved> = {}): ServiceObserved => ({
  role: 'main',
  phase,
  ready: phase === 'running',
  restarts: 0,
  ...more,
})

const replica = (services: Record<string, ServiceObserved>, more: Partial<Replica> = {}): Replica => ({
  engineId: 'r1',
  index: 0,
  release: 'v1',
  specHash: 'h',
  ready: Object.values(services).every(({ ready }) => ready),
  terminating: false,
  services,
  endpoints: [],
  ...more,
})

const observed = (replicas: readonly Replica[], more: Partial<Observed> = {}): Observed => ({
  ref,
  replicas,
  endpoints: [],
  drift: [],
  notEnforced: [],
  at,
  ...more,
})

const record = (more: Partial<InstanceRecord> = {}): InstanceRecord => ({
  ref,
  labels: {},
  type: 'deployment',
  run: 'running',
  replicas: 1,
  restart: { policy: 'always', maxPerHour: 20 },
  strategy: { type: 'recreate', minReadySeconds: 0, progressDeadlineSeconds: 60, onFailure: 'rollback' },
  stopGraceSeconds: 10,
  expose: 'none',
  engine: {},
  release: 'v1',
  releases: 1,
  removing: false,
  version: 1,
  ...more,
})

const stall = { reason: 'init_failed', message: 'init migrate exited', at } as const

describe('the status of an instance', () => {
  it('is undefined where it was looked and nothing is there', () => {
    expect(statusOf(undefined, undefined, at)).toBeUndefined()
    expect(statusOf(undefined, record(), at)).toBeUndefined()
  })

  it('is stopped where nothing is left of what we stopped', () => {
    expect(statusOf(undefined, record({ run: 'stopped' }), at)).toMatchObject({ state: 'stopped', ready: false })
    expect(statusOf(undefined, record({ run: 'stopped', removing: true }), at)).toBeUndefined()
  })

  it.each([
    ['running', [replica({ web: seen('running') })], record(), 'running', true],
    ['starting before the first success', [replica({ web: seen('starting') })], record(), 'starting', false],
    ['failed after a crash', [replica({ web: seen('crashed') })], record(), 'failed', false],
    ['stopped after an end that was meant', [replica({ web: seen('completed') })], record(), 'stopped', false],
    [
      'provisioning while replicas are missing',
      [replica({ web: seen('running') })],
      record({ replicas: 2 }),
      'provisioning',
      false,
    ],
    [
      'starting while others take their place',
      [replica({ web: seen('running') })],
      record({ replicas: 2, settled: 'v1' }),
      'starting',
      false,
    ],
    ['provisioning with none yet', [], record(), 'provisioning', false],
    ['stopped with none wanted', [], record({ replicas: 0 }), 'stopped', false],
    [
      'stopping while all leave',
      [replica({ web: seen('stopping') }, { terminating: true })],
      record({ run: 'stopped' }),
      'stopping',
      false,
    ],
    [
      'starting while all make room for others',
      [replica({ web: seen('stopping') }, { terminating: true })],
      record({ settled: 'v1' }),
      'starting',
      false,
    ],
    [
      'destroying while it is removed',
      [replica({ web: seen('running') })],
      record({ removing: true }),
      'destroying',
      true,
    ],
    [
      'unknown readiness where it could not be told',
      [replica({ web: seen('running', { ready: undefined }) }, { ready: undefined })],
      record(),
      'running',
      undefined,
    ],
  ] as const)('is %s', (_what, replicas, wanted, state, ready) => {
    expect(statusOf(observed(replicas), wanted, at)).toMatchObject({ state, ready })
  })

  it('is failed while it is stalled, in the words of the stall', () => {
    const status = statusOf(observed([replica({ web: seen('waiting') })], { stalled: stall }), record(), at)
    expect(status).toMatchObject({ state: 'failed', message: stall.message })
    expect(statusOf(observed([], { stalled: stall }), record(), at)).toMatchObject({ state: 'failed' })
  })

  it('takes the worst of the services, and counts an init that is through no more', () => {
    const services = { web: seen('running'), init: seen('completed', { role: 'init', ready: true }) }
    expect(statusOf(observed([replica(services)]), record(), at)).toMatchObject({ state: 'running', ready: true })
    const worse = { ...services, helper: seen('crashed', { role: 'sidecar', message: 'exited with code 3' }) }
    const status = statusOf(observed([replica(worse)]), record(), at)
    expect(status).toMatchObject({ state: 'failed', ready: false, message: 'helper: exited with code 3' })
    expect(status?.services.web).toMatchObject({ state: 'running', ready: true })
  })

  it('sums restarts, and starts with the oldest that runs', () => {
    const old = seen('running', { restarts: 2, startedAt: new Date(10), engineId: 'a' })
    const young = seen('running', { restarts: 1, startedAt: new Date(20), engineId: 'b' })
    const status = statusOf(observed([replica({ web: old }), replica({ web: young })]), record({ replicas: 2 }), at)
    expect(status).toMatchObject({ restarts: 3, startedAt: new Date(10) })
    expect(status?.services.web?.engineIds).toEqual(['a', 'b'])
  })

  it('leaves those that are leaving out of account, and has no release while replicas differ', () => {
    const leaving = replica({ web: seen('crashed') }, { terminating: true, release: 'v0' })
    const staying = replica({ web: seen('running') })
    expect(statusOf(observed([leaving, staying]), record(), at)).toMatchObject({ state: 'running', release: 'v1' })
    const mixed = [staying, replica({ web: seen('running') }, { release: 'v2' })]
    expect(statusOf(observed(mixed), record({ replicas: 2 }), at)?.release).toBeUndefined()
  })

  it('tells the action table that what is on record and not there has failed', () => {
    expect(stateForActions(undefined, record())).toBe('failed')
    expect(stateForActions(undefined, record({ removing: true }))).toBe('destroying')
  })

  it('tells the action table that what is on its way to no replicas is only stopping where that was asked for', () => {
    const leaving = observed([replica({ web: seen('stopping') }, { terminating: true })])
    const scaled = record({ run: 'running', replicas: 0 })
    expect(stateForActions(statusOf(leaving, scaled, at), scaled)).toBe('running')
    const stopped = record({ run: 'stopped' })
    expect(stateForActions(statusOf(leaving, stopped, at), stopped)).toBe('stopping')
  })
})
