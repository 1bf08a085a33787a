import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { asFault, Fault, type FaultKind, faultMeaning, isFault, isRetryable, publicFault } from './fault.ts'
import { type FaultReason, faultReasons } from './fault-reasons.ts'

const reasons = Object.keys(faultReasons) as FaultReason[]

describe('the table of fault kinds', () => {
  it('has exactly the closed set of kinds', () => {
    expect(Object.keys(faultMeaning)).toEqual([
      'invalid',
      'unauthenticated',
      'forbidden',
      'not_found',
      'conflict',
      'expired',
      'quota_exceeded',
      'rate_limited',
      'unsupported',
      'unavailable',
      'deadline',
      'internal',
    ])
  })

  it('gives every kind an HTTP error status, an exit code of its own and a title', () => {
    const rows = Object.values(faultMeaning)
    for (const { status, title } of rows) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(600)
      expect(title).not.toBe('')
    }
    const exits = rows.map(({ exit }) => exit)
    expect(new Set(exits).size).toBe(exits.length)
    expect(exits.every((exit) => exit > 0 && exit < 125)).toBe(true)
  })

  it('gives every reason a kind that is in the table', () => {
    for (const reason of reasons) expect(Object.keys(faultMeaning)).toContain(faultReasons[reason])
  })

  it.each<[FaultReason, boolean]>([
    ['schema', false],
    ['object_not_found', false],
    ['version_conflict', true],
    ['engine_unreachable', true],
    ['deadline_exceeded', true],
  ])('says of %s whether to try again: %s', (reason, retry) => {
    expect(isRetryable(new Fault(reason, 'x'))).toBe(retry)
  })

  it('tries again after a bug of ours', () => {
    expect(isRetryable(new TypeError('oops'))).toBe(true)
  })
})

describe('a fault', () => {
  it('takes its kind from its reason', () => {
    for (const reason of reasons) expect(new Fault(reason, 'x').kind).toBe(faultReasons[reason])
  })

  it('is recognised by its kind, and only by its own', () => {
    const fault = new Fault('bad_name', 'x')
    expect(isFault(fault)).toBe(true)
    expect(isFault(fault, 'invalid')).toBe(true)
    expect(isFault(fault, 'conflict')).toBe(false)
  })

  it.each([
    ['an error with the same words', Object.assign(new Error('x'), { kind: 'invalid', reason: 'bad_name' })],
    ['a text', 'Fault'],
    ['nothing', undefined],
    ['null', null],
    ['a plain object', { kind: 'invalid' }],
  ])('is not %s', (_, value) => {
    expect(isFault(value)).toBe(false)
  })

  it('is recognised when another copy of the package made it', async () => {
    vi.resetModules()
    const copy = await import('./fault.ts')
    expect(copy.Fault).not.toBe(Fault)
    const foreign = new copy.Fault('engine_unreachable', 'x')
    expect(foreign).not.toBeInstanceOf(Fault)
    expect(isFault(foreign, 'unavailable')).toBe(true)
    expect(copy.isFault(new Fault('bad_name', 'x'), 'invalid')).toBe(true)
    expect(asFault(foreign)).toBe(foreign)
  })

  it('keeps its cause for the log', () => {
    const cause = new Error('socket closed')
    expect(new Fault('engine_unreachable', 'x', { cause }).cause).toBe(cause)
    expect('cause' in new Fault('engine_unreachable', 'x')).toBe(false)
  })
})

describe('what anyone may see of a fault', () => {
  const fault = new Fault('schema', 'The name is not valid', {
    detail: 'row 17 of hunter2',
    cause: new Error('hunter2'),
    issues: [{ path: 'metadata.name', message: 'is required', line: 3 }],
    retryAfterMs: 1500,
  })

  it('is the body of an RFC 9457 answer', () => {
    expect(publicFault(fault)).toEqual({
      type: 'urn:gantry:fault:schema',
      title: 'The request is not valid',
      status: 400,
      detail: 'The name is not valid',
      kind: 'invalid',
      reason: 'schema',
      issues: [{ path: 'metadata.name', message: 'is required', line: 3 }],
      retryAfterMs: 1500,
    })
  })

  it.each<[string, (fault: Fault) => string]>([
    ['its public form as JSON', (one) => JSON.stringify(publicFault(one))],
    ['its public form inspected', (one) => inspect(publicFault(one), { showHidden: true, depth: null })],
    ['itself as JSON', (one) => JSON.stringify({ error: one })],
    ['a copy of it', (one) => JSON.stringify({ ...one }) + inspect({ ...one })],
    ['its message', (one) => `${one}`],
  ])('never has the private detail: %s', (_, print) => {
    expect(print(fault)).not.toContain('hunter2')
  })

  it('drops what somebody hung onto an issue', () => {
    const issue = { path: 'a', message: 'b', secret: 'hunter2' }
    expect(JSON.stringify(publicFault(new Fault('schema', 'x', { issues: [issue] })))).not.toContain('hunter2')
  })

  it('still lets the log read the detail', () => {
    expect(fault.detail).toBe('row 17 of hunter2')
  })
})

describe('any thrown value as a fault', () => {
  it.each<[string, unknown, string]>([
    ['an error', new TypeError('secret path'), 'secret path'],
    ['a text', 'secret text', 'secret text'],
    ['nothing', undefined, 'undefined'],
  ])('is internal and keeps %s for the log only', (_, thrown, detail) => {
    const fault = asFault(thrown)
    expect(fault.kind satisfies FaultKind).toBe('internal')
    expect(fault.detail).toContain(detail)
    expect(JSON.stringify(fault)).not.toContain('secret')
  })
})
