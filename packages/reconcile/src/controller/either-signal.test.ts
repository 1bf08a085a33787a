import { describe, expect, it } from 'vitest'
import { eitherSignal } from './either-signal.ts'

describe('either of two signals', () => {
  it.each([0, 1])('ends the joined one with its own reason (%i)', (which) => {
    const controls = [new AbortController(), new AbortController()] as const
    const { signal, clear } = eitherSignal(controls[0].signal, controls[1].signal)
    const reason = new Error('mine')
    controls[which]?.abort(reason)
    controls[1 - which]?.abort(new Error('too late'))
    expect(signal.reason).toBe(reason)
    clear()
  })

  it('may have ended before', () => {
    const reason = new Error('earlier')
    expect(eitherSignal(new AbortController().signal, AbortSignal.abort(reason)).signal.reason).toBe(reason)
  })

  it('ends nothing any more after it was cleared', () => {
    const [one, other] = [new AbortController(), new AbortController()]
    const { signal, clear } = eitherSignal(one.signal, other.signal)
    clear()
    one.abort()
    expect(signal.aborted).toBe(false)
  })

  it('is the one itself where there is no other', () => {
    const { signal } = new AbortController()
    expect(eitherSignal(signal, undefined).signal).toBe(signal)
  })
})
