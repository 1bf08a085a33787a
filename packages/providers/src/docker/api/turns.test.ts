import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

const call = { signal: new AbortController().signal }

/** Work that ends when it is told to. */
function held(): { readonly work: () => Promise<void>; readonly begun: () => boolean; readonly end: () => void } {
  let isBegun = false
  let end: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const work = (): Promise<void> => {
    isBegun = true
    return over
  }
  return { work, begun: () => isBegun, end: () => end() }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('Turns', () => {
  it('let in so many at once, and the others in the order they came, also after one has failed', async () => {
    const turns = new Turns(2)
    const all = Array.from({ length: 4 }, held)
    const ends = all.map(({ work }) => turns.during(call, work))
    await settled()
    expect(all.map(({ begun }) => begun())).toEqual([true, true, false, false])
    all[1]?.end()
    await ends[1]
    await settled()
    expect(all.map(({ begun }) => begun())).toEqual([true, true, true, false])
    for (const { end } of all) end()
    await Promise.all(ends)
    await expect(turns.during(call, () => Promise.reject(new Error('it broke')))).rejects.toThrow('it broke')
    await expect(Promise.all([0, 1].map((each) => turns.during(call, async () => each)))).resolves.toEqual([0, 1])
  })

  it('are given up by who leaves the line, with the reason of who left', async () => {
    const turns = new Turns(1)
    const first = held()
    const firstEnd = turns.during(call, first.work)
    const leaver = new AbortController()
    const second = held()
    const left = turns.during(leaver, second.work)
    const third = held()
    const thirdEnd = turns.during(call, third.work)
    leaver.abort(new Error('no longer wanted'))
    await expect(left).rejects.toThrow('no longer wanted')
    first.end()
    await firstEnd
    await settled()
    expect([second.begun(), third.begun()]).toEqual([false, true])
    third.end()
    await thirdEnd
  })
})
