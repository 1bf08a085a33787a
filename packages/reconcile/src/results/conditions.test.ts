import { type Condition, Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { conditionsFor, restingConditions } from './conditions.ts'
import { couldNotLook, failed } from './from-error.ts'
import { done, type Result, waiting } from './result.ts'
import { asStuck } from './stuck.ts'

const now = Date.UTC(2026, 0, 1)
const cutOff = new Fault('engine_unreachable', 'Docker does not answer')

function shown(result: Result, previous: readonly Condition[] = [], deleting = false) {
  const conditions = conditionsFor(result, previous, { now, deleting })
  return Object.fromEntries(conditions.map(({ type, status, reason, message }) => [type, [status, reason, message]]))
}

describe('what a user reads after', () => {
  it('a pass that is done: ready', () => {
    expect(shown(done())).toMatchObject({
      Ready: ['True', 'converged', expect.any(String)],
      Progressing: ['False', 'converged', expect.any(String)],
      Degraded: ['False', 'converged', ''],
    })
  })

  it('a yield: what is waited for, and where', () => {
    const message = 'waiting for 2 of 3 pods (cluster/cni)'
    expect(shown(waiting('cluster/cni', '2 of 3 pods'))).toMatchObject({
      Ready: ['False', 'waiting', message],
      Progressing: ['True', 'waiting', message],
      Degraded: ['False', 'waiting', ''],
    })
  })

  it('a transient fault: degraded, and still trying', () => {
    expect(shown(failed('net', cutOff))).toMatchObject({
      Ready: ['False', 'engine_unreachable', 'Docker does not answer (net)'],
      Progressing: ['True', 'retrying', expect.any(String)],
      Degraded: ['True', 'engine_unreachable', 'Docker does not answer (net)'],
    })
  })

  it('a permanent fault: degraded, and parked', () => {
    expect(shown(failed('', new Fault('schema', 'no such field')))).toMatchObject({
      Ready: ['False', 'schema', 'no such field'],
      Progressing: ['False', 'parked', expect.any(String)],
      Degraded: ['True', 'schema', 'no such field'],
    })
  })

  it('a wait that was too long: stuck', () => {
    const stuck = asStuck(waiting('net', 'the network'), { waitedMs: 900_000, stuckAfterMs: 600_000 })
    expect(shown(stuck)).toMatchObject({
      Ready: ['False', 'stuck', expect.stringContaining('the network at net')],
      Progressing: ['False', 'stuck', expect.any(String)],
      Degraded: ['True', 'stuck', expect.any(String)],
    })
  })

  it('not being able to look: unknown, neither ready nor failed', () => {
    const unknown = ['Unknown', 'engine_unreachable', 'could not look: Docker does not answer (net)']
    expect(shown(couldNotLook('net', cutOff))).toEqual({ Ready: unknown, Progressing: unknown, Degraded: unknown })
  })

  it('a pass of taking down: never ready', () => {
    expect(shown(waiting('net', 'it to be gone'), [], true)).toMatchObject({
      Ready: ['False', 'deleting', 'waiting for it to be gone (net)'],
      Progressing: ['True', 'waiting', expect.any(String)],
    })
    expect(shown(done(), [], true)).toMatchObject({ Ready: ['False', 'deleted', expect.any(String)] })
    expect(shown(failed('', cutOff), [], true)).toMatchObject({
      Ready: ['False', 'engine_unreachable', expect.any(String)],
    })
    expect(shown(couldNotLook('', cutOff), [], true)).toMatchObject({
      Ready: ['Unknown', expect.any(String), expect.any(String)],
    })
  })
})

describe('the time of a condition', () => {
  const since = new Date(now - 60_000).toISOString()

  it('stays while the status does, whatever the reason and message say', () => {
    const before = conditionsFor(waiting('a', 'pods'), [], { now: now - 60_000 })
    const after = conditionsFor(failed('a', cutOff), before, { now })
    expect(after.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'False', since })
    expect(after.find(({ type }) => type === 'Degraded')).toMatchObject({
      status: 'True',
      since: new Date(now).toISOString(),
    })
  })

  it('of other types is left alone', () => {
    const other = { type: 'Reachable', status: 'True', reason: 'probe', message: '', since } as const
    expect(conditionsFor(done(), [other], { now })).toContainEqual(other)
  })
})

describe('an object at rest', () => {
  it('says why nobody works on it, and keeps what is known about it', () => {
    const before = conditionsFor(done(), [], { now: now - 60_000 })
    const after = restingConditions('paused', 'Paused', before, { now })
    expect(after.find(({ type }) => type === 'Progressing')).toMatchObject({ status: 'False', reason: 'paused' })
    expect(after.find(({ type }) => type === 'Ready')).toEqual(before.find(({ type }) => type === 'Ready'))
  })
})
