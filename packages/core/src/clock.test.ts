import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from './clock.ts'

const day = 86_400_000

describe('the clock of the machine', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('tells the time as people read it, and a time that only grows', () => {
    vi.setSystemTime(1_000_000)
    const before = systemClock.monotonic()
    vi.advanceTimersByTime(250)
    expect(systemClock.now()).toBe(1_000_250)
    expect(systemClock.monotonic() - before).toBe(250)
  })

  it.each([0, 1, 1000, 30 * day, 100 * day])('runs a task once, after %i ms and not before', (delay) => {
    const task = vi.fn()
    systemClock.after(delay, task)
    vi.advanceTimersByTime(Math.max(0, delay - 1))
    expect(task).toHaveBeenCalledTimes(delay === 0 ? 1 : 0)
    vi.advanceTimersByTime(1)
    expect(task).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(100 * day)
    expect(task).toHaveBeenCalledTimes(1)
  })

  it.each([1000, 100 * day])('takes a task of %i ms back, also in the middle of a long wait, and twice', (delay) => {
    const task = vi.fn()
    const cancel = systemClock.after(delay, task)
    vi.advanceTimersByTime(delay - 500)
    cancel()
    cancel()
    vi.advanceTimersByTime(delay)
    expect(task).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})
