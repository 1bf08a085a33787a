import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { startInTime } from './run-edge.ts'

function subject(outcomes: readonly (() => Promise<void>)[]) {
  const clock = new VirtualClock()
  const over = new AbortController()
  const troubles: string[] = []
  let tries = 0
  const start = (): Promise<void> => outcomes[Math.min(tries++, outcomes.length - 1)]?.() ?? Promise.resolve()
  const onTrouble = ({ message }: Fault): void => void troubles.push(message)
  const begun = startInTime(start, { clock, onTrouble }, over)
  return { clock, over, troubles, begun, tries: () => tries }
}

const fine = async (): Promise<void> => undefined
const refused = async (): Promise<void> => Promise.reject(new Fault('engine_refused', 'No room'))

describe('a server that starts its edge', () => {
  it('goes on at once when that is started', async () => {
    const { begun, clock, troubles } = subject([fine])
    await begun
    expect(troubles).toEqual([])
    expect(clock.pending).toBe(0)
  })

  it('does not start where the edge is refused', async () => {
    const { begun, clock, tries } = subject([refused])
    await expect(begun).rejects.toThrow('No room')
    expect([tries(), clock.pending]).toEqual([1, 0])
  })

  it('goes on without one that takes too long, says so, and tries on until it is there', async () => {
    let refuse: (error: Fault) => void = () => undefined
    const slow = (): Promise<void> => new Promise((_, reject) => (refuse = reject))
    const { begun, clock, troubles, tries } = subject([slow, refused, fine])
    await clock.advance(5000)
    await begun
    expect(troubles).toEqual([expect.stringContaining('goes on without it')])
    refuse(new Fault('deadline_exceeded', 'Not within 30 s'))
    await clock.advance(10_000)
    expect(troubles.slice(1)).toEqual(['Not within 30 s', 'No room'])
    expect([tries(), clock.pending]).toEqual([3, 0])
  })

  it('stops trying when the server does', async () => {
    const { begun, clock, over, tries } = subject([() => new Promise(() => undefined)])
    await clock.advance(5000)
    await begun
    over.abort(new Fault('shutting_down', 'The server is stopping'))
    await clock.advance(60_000)
    expect([tries(), clock.pending]).toEqual([1, 0])
  })
})
