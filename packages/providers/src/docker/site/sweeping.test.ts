import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { sweeping } from './sweeping.ts'

function rig(answers: readonly (number | Error)[]) {
  const clock = new VirtualClock()
  const life = new AbortController()
  const doubts: unknown[] = []
  let asked = 0
  const sweep = async (): Promise<number> => {
    const answer = answers[asked] ?? 0
    asked += 1
    if (answer instanceof Error) throw answer
    return answer
  }
  const { sweep: begin } = sweeping({ clock, life, sweep, doubt: (error) => doubts.push(error) })
  return { clock, life, doubts, begin, asked: () => asked }
}

describe('what died halfway', () => {
  it('is looked for again as long as some of it is too young', async () => {
    const { clock, begin, asked } = rig([2, 1, 0])
    begin()
    await clock.advance(600_000)
    expect(asked()).toBe(3)
  })

  it('is looked for once at a time, however often we come', async () => {
    const { clock, begin, asked } = rig([1, 1, 0])
    begin()
    begin()
    await clock.advance(600_000)
    expect(asked()).toBe(3)
  })

  it('is left where the engine is closed, and begun again with the next connection where it was lost', async () => {
    const away = new Fault('engine_unreachable', 'away')
    const { clock, begin, asked, doubts, life } = rig([away, 1])
    begin()
    await clock.advance(600_000)
    expect([asked(), doubts]).toEqual([1, [away]])
    begin()
    await clock.advance(1)
    life.abort(new Error('closed'))
    begin()
    await clock.advance(600_000)
    expect(asked()).toBe(2)
  })
})
