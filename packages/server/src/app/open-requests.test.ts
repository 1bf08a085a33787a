import { isFault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { OpenRequests } from './open-requests.ts'

function setUp() {
  const clock = new VirtualClock()
  const stopping = new AbortController()
  return { clock, stopping, requests: new OpenRequests({ clock, answerMs: 100, stopping: stopping.signal }) }
}

describe('requests that are under way', () => {
  it('end when they take too long, each at its own time', async () => {
    const { clock, requests } = setUp()
    const [first, second] = [requests.open(), requests.open()]
    first.begin('The first')
    await clock.advance(60)
    second.begin('The second')
    await clock.advance(40)
    expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false])
    expect(isFault(first.signal.reason, 'deadline') && first.signal.reason.message).toMatch(/^The first took longer/)
    await clock.advance(59)
    expect(second.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(isFault(second.signal.reason, 'deadline')).toBe(true)
  })

  it('do not end while their time does not count, and have all of it when it counts again', async () => {
    const { clock, requests } = setUp()
    const request = requests.open()
    request.begin('Who asks')
    await clock.advance(90)
    request.rest()
    await clock.advance(1000)
    request.begin('The request')
    await clock.advance(99)
    expect(request.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(request.signal.aborted).toBe(true)
  })

  it('end with the server for its reason, those that rest excepted, and none begins after that', () => {
    const { stopping, requests } = setUp()
    const [busy, resting, late] = [requests.open(), requests.open(), requests.open()]
    busy.begin('The request')
    const reason = new Error('stopping')
    stopping.abort(reason)
    late.begin('The request')
    expect(busy.signal.reason).toBe(reason)
    expect(late.signal.reason).toBe(reason)
    expect(resting.signal.aborted).toBe(false)
  })

  it('end once, for the first reason', async () => {
    const { clock, requests } = setUp()
    const request = requests.open()
    request.begin('The request')
    const reason = new Error('the caller is gone')
    request.end(reason)
    await clock.advance(200)
    expect(request.signal.reason).toBe(reason)
  })
})
