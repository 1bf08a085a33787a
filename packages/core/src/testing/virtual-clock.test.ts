import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sleep } from '../abort.ts'
import { VirtualClock } from './virtual-clock.ts'

const forever = { signal: new AbortController().signal }

describe('a clock that a test owns', () => {
  it('stands still until told otherwise', async () => {
    const clock = new VirtualClock(5000)
    expect([clock.now(), clock.monotonic()]).toEqual([5000, 0])
    await clock.advance(250)
    expect([clock.now(), clock.monotonic()]).toEqual([5250, 250])
  })

  it('fires what falls due in order of time, and of asking where the time is the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 60 }), async (delays) => {
        const clock = new VirtualClock(0)
        const fired: [number, number][] = []
        for (const [at, delay] of delays.entries()) clock.after(delay, () => fired.push([clock.now(), at]))
        await clock.advance(20)
        const expected = delays.map((delay, at): [number, number] => [delay, at])
        expect(fired).toEqual(expected.toSorted(([a, x], [b, y]) => a - b || x - y))
        expect(clock.pending).toBe(0)
      }),
      { numRuns: 50 },
    )
  })

  it('fires nothing that was taken back', async () => {
    const clock = new VirtualClock()
    const fired: string[] = []
    const cancel = clock.after(10, () => fired.push('a'))
    clock.after(5, cancel)
    clock.after(20, () => fired.push('b'))
    await clock.advance(100)
    cancel()
    expect(fired).toEqual(['b'])
  })

  it('counts what is still to fire', () => {
    const clock = new VirtualClock()
    const cancel = clock.after(10, () => undefined)
    clock.after(20, () => undefined)
    expect(clock.pending).toBe(2)
    cancel()
    expect(clock.pending).toBe(1)
  })

  it('lets all that follows from one timer run before the next', async () => {
    const clock = new VirtualClock(0)
    const seen: number[] = []
    const loop = async () => {
      for (let at = 0; at < 5; at++) {
        await sleep(clock, 10, forever)
        seen.push(clock.now())
      }
    }
    const done = loop()
    await clock.advance(50)
    await done
    expect(seen).toEqual([10, 20, 30, 40, 50])
  })

  it('lets a day of retries pass in no time', async () => {
    const clock = new VirtualClock(0)
    let tries = 0
    const again = (): void => {
      tries++
      clock.after(60_000, again)
    }
    again()
    await clock.advance(86_400_000)
    expect(tries).toBe(1441)
  })

  it('goes on until something holds, and no further', async () => {
    const clock = new VirtualClock(0)
    let done = false
    clock.after(30, () => {
      done = true
    })
    clock.after(90, () => undefined)
    await clock.until(() => done)
    expect(clock.now()).toBe(30)
    expect(clock.pending).toBe(1)
  })

  it('says so when what is waited for cannot come', async () => {
    const clock = new VirtualClock(0)
    await expect(clock.until(() => false)).rejects.toThrow('not reached')
    const tick = (): void => {
      clock.after(100, tick)
    }
    tick()
    await expect(clock.until(() => false, 1000)).rejects.toThrow('within 1000 ms')
    expect(clock.now()).toBeLessThanOrEqual(1000)
  })

  it('takes a delay below nothing for none', async () => {
    const clock = new VirtualClock(100)
    let firedAt = 0
    clock.after(-50, () => {
      firedAt = clock.now()
    })
    await clock.advance(0)
    expect(firedAt).toBe(100)
  })
})
