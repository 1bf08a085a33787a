import { Fault, Secret } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { describeError } from './describe-error.ts'
import { createLog, logWith } from './log.ts'

function said(level?: 'warn') {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line), clock: new VirtualClock(), ...(level ? { level } : {}) })
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

describe('the log', () => {
  it('says one line of JSON with level, time, message and fields', () => {
    const { log, parsed } = said()
    log.info('began', { port: 7400 })
    expect(parsed()).toEqual([{ level: 'info', time: '2026-01-01T00:00:00.000Z', message: 'began', port: 7400 }])
  })

  it('carries the id of the request on every line of a request', () => {
    const { log, parsed } = said()
    const own = logWith(log, { requestId: 'r1' })
    own.warn('slow')
    own.error('failed', { operation: 'workload.read' })
    expect(parsed()).toEqual([
      expect.objectContaining({ requestId: 'r1', level: 'warn' }),
      expect.objectContaining({ requestId: 'r1', operation: 'workload.read' }),
    ])
  })

  it('shows the private detail of a fault and of its causes', () => {
    const { log, parsed } = said()
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    log.error('failed', { error: new Fault('engine_unreachable', 'Docker is away', { detail: 'socket x', cause }) })
    expect(parsed()[0]?.error).toEqual({
      kind: 'unavailable',
      reason: 'engine_unreachable',
      message: 'Docker is away',
      detail: 'socket x',
      cause: { name: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED', stack: expect.any(String) },
    })
  })

  it('shows no secret, however deep it lies', () => {
    const { log, lines } = said()
    const secret = new Secret('hunter2')
    const error = Object.assign(new Error('no'), { value: secret, text: 'hunter2' })
    log.error(`with ${secret}`, { secret, deep: { list: [{ secret }] }, map: new Map([['a', secret]]), error })
    expect(lines.join()).not.toContain('hunter2')
    expect(lines.join()).toContain('[secret]')
  })

  it('lets no field pass for one of its own', () => {
    const { log, parsed } = said()
    log.info('true', { level: 'fatal', message: 'false', time: 'never' })
    expect(parsed()[0]).toMatchObject({ level: 'info', message: 'true', time: '2026-01-01T00:00:00.000Z' })
  })

  it('is one line, whatever is in a message', () => {
    const { log, lines } = said()
    log.info('a\n{"level":"fatal"}')
    expect(lines.join('').trimEnd().split('\n')).toHaveLength(1)
  })

  it('is silent below its level', () => {
    const { log, lines } = said('warn')
    log.info('began')
    expect(lines).toEqual([])
  })
})

describe('describing an error', () => {
  it('ends with causes that go round in a circle', () => {
    const error = new Error('round')
    error.cause = error
    expect(JSON.stringify(describeError(error)).match(/round/g)?.length).toBeLessThan(20)
  })

  it('tells where a bug is, and all that an aggregate holds', () => {
    expect(describeError(new Fault('unexpected', 'x')).stack).toEqual(expect.any(String))
    expect(describeError(new Fault('schema', 'x')).stack).toBeUndefined()
    const both = new AggregateError([new Error('one'), new Error('two')], 'both')
    expect(describeError(both)).toMatchObject({ errors: [{ message: 'one' }, { message: 'two' }] })
  })

  it('says of what is no error only what it is', () => {
    expect(describeError({ password: 'hunter2' })).toEqual({ message: 'a thrown object' })
    expect(describeError('words')).toEqual({ message: 'words' })
  })
})
