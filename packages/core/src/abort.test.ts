import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { orAbort, sleep, withDeadline } from './abort.ts'
import { isFault } from './fault.ts'
import { VirtualClock } from './testing/virtual-clock.ts'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

function setup() {
  const caller = new AbortController()
  return { clock: new VirtualClock(), caller, call: { signal: caller.signal }, reason: new Error('the caller left') }
}

describe('sleeping', () => {
  it('ends when its time is over, and not before', async () => {
    const { clock, call } = setup()
    let awake = false
    const done = sleep(clock, 1000, call).then(() => {
      awake = true
    })
    await clock.advance(999)
    expect(awake).toBe(false)
    await clock.advance(1)
    await done
    expect(listeners(call.signal)).toBe(0)
    expect(clock.pending).toBe(0)
  })

  it('ends with the reason of the caller, and leaves nothing behind', async () => {
    const { clock, caller, call, reason } = setup()
    const done = sleep(clock, 1000, call)
    caller.abort(reason)
    await expect(done).rejects.toBe(reason)
    expect(clock.pending).toBe(0)
  })

  it('does not begin when the caller has left', async () => {
    const { clock, caller, call, reason } = setup()
    caller.abort(reason)
    await expect(sleep(clock, 1000, call)).rejects.toBe(reason)
    expect(clock.pending).toBe(0)
  })
})

describe('waiting for a promise', () => {
  it('gives its value or its failure, and leaves no listener', async () => {
    const { call } = setup()
    const failure = new Error('failed')
    await expect(orAbort(Promise.resolve(1), call)).resolves.toBe(1)
    await expect(orAbort(Promise.reject(failure), call)).rejects.toBe(failure)
    expect(listeners(call.signal)).toBe(0)
  })

  it('ends with the reason of the caller', async () => {
    const { caller, call, reason } = setup()
    const done = orAbort(new Promise(() => undefined), call)
    caller.abort(reason)
    await expect(done).rejects.toBe(reason)
  })

  it('handles a failure that comes after the caller left, before or while waiting', async () => {
    const { caller, call, reason } = setup()
    let fail: (reason: Error) => void = () => undefined
    const promise = new Promise((_, reject) => {
      fail = reject
    })
    const waiting = orAbort(promise, call)
    caller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(orAbort(promise, call)).rejects.toBe(reason)
    // Vitest fails a run in which a rejection was handled by nobody.
    fail(new Error('too late'))
    await new Promise(setImmediate)
    expect(listeners(call.signal)).toBe(0)
  })
})

describe('a deadline', () => {
  it('ends the work with a fault of its own that says what took too long', async () => {
    const { clock, call } = setup()
    const deadline = withDeadline(clock, 5000, 'Pulling the image', call)
    await clock.advance(4999)
    expect(deadline.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(isFault(deadline.signal.reason, 'deadline')).toBe(true)
    expect(deadline.signal.reason).toMatchObject({ message: 'Pulling the image took longer than 5000 ms' })
    expect(deadline.passed()).toBe(true)
    expect(listeners(call.signal)).toBe(0)
  })

  it('is not blamed for a caller that left, and keeps its reason', async () => {
    const { clock, caller, call, reason } = setup()
    const deadline = withDeadline(clock, 5000, 'x', call)
    caller.abort(reason)
    await clock.advance(10_000)
    expect(deadline.signal.reason).toBe(reason)
    expect(deadline.passed()).toBe(false)
    expect(clock.pending).toBe(0)
  })

  it('has passed at once for a caller that had left already', () => {
    const { clock, caller, call, reason } = setup()
    caller.abort(reason)
    const deadline = withDeadline(clock, 5000, 'x', call)
    expect(deadline.signal.reason).toBe(reason)
    expect(clock.pending).toBe(0)
  })

  it('leaves no timer and no listener once it is cleared, a thousand times over', () => {
    const { clock, call } = setup()
    for (let at = 0; at < 1000; at++) withDeadline(clock, 5000, 'x', call).clear()
    expect(listeners(call.signal)).toBe(0)
    expect(clock.pending).toBe(0)
  })
})
