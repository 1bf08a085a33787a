import { VirtualClock } from '@gantry/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryLeases } from '../testing/memory-leases.ts'
import { Membership } from './membership.ts'

const call = { signal: new AbortController().signal }
let clock: VirtualClock
let leases: MemoryLeases

beforeEach(() => {
  clock = new VirtualClock()
  leases = new MemoryLeases(clock)
})

const member = (holder: string) => new Membership({ leases, holder, prefix: 'p', ttlMs: 15_000 })

describe('members', () => {
  it('count each other, and take up one slot each', async () => {
    const [a, b, c] = [member('a'), member('b'), member('c')]
    for (const one of [a, b, c]) await one.refresh(call)
    expect(await a.refresh(call)).toEqual({ index: 0, members: 3 })
    expect(await b.refresh(call)).toEqual({ index: 1, members: 3 })
    expect(await c.refresh(call)).toEqual({ index: 2, members: 3 })
    expect(leases.size).toBe(3)
  })

  it('close the gaps that others leave, and give their own slot back', async () => {
    const [a, b, c] = [member('a'), member('b'), member('c')]
    for (const one of [a, b, c]) await one.refresh(call)
    await a.leave(call)
    await b.leave(call)
    expect(await c.refresh(call)).toEqual({ index: 0, members: 1 })
    expect([0, 1, 2].map((slot) => leases.holderOf(`p-member-${slot}`))).toEqual(['c', undefined, undefined])
  })

  it('that died are no longer counted once their slot has run out', async () => {
    const [dead, alive] = [member('dead'), member('alive')]
    await dead.refresh(call)
    await alive.refresh(call)
    await clock.advance(10_000)
    expect(await alive.refresh(call)).toEqual({ index: 1, members: 2 })
    await clock.advance(10_000)
    expect(await alive.refresh(call)).toEqual({ index: 0, members: 1 })
  })

  it('that lost their slot to another take the next one', async () => {
    const [slow, quick] = [member('slow'), member('quick')]
    await slow.refresh(call)
    await clock.advance(20_000)
    expect(await quick.refresh(call)).toEqual({ index: 0, members: 1 })
    expect(await slow.refresh(call)).toEqual({ index: 1, members: 2 })
  })
})
