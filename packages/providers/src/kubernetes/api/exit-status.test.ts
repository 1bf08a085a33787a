import { describe, expect, it } from 'vitest'
import { exitOf } from './exit-status.ts'

const status = (value: object): string => JSON.stringify({ kind: 'Status', ...value })

describe('how a command has ended', () => {
  it.each([
    [status({ status: 'Success' }), 0],
    [
      status({
        status: 'Failure',
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: '3' }] },
      }),
      3,
    ],
  ])('is a code in %s', (said, code) => {
    expect(exitOf(said, 'me')).toBe(code)
  })

  it.each([
    [
      status({ status: 'Failure', reason: 'InternalError', code: 500, message: 'container not found ("c")' }),
      'service_not_running',
    ],
    [
      status({
        status: 'Failure',
        reason: 'InternalError',
        code: 500,
        message: 'failed to start exec "1": exec: "nope"',
      }),
      'engine_rejected',
    ],
    [JSON.stringify({ status: 'Failure', code: 500, message: 'something else' }), 'engine_refused'],
    ['plain words', 'engine_refused'],
  ])('is a fault in %s', (said, reason) => {
    expect(exitOf(said, 'me')).toMatchObject({ reason })
  })
})
