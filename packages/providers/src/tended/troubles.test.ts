import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { done, waitFor } from '../pass.ts'
import type { Ref } from '../ref.ts'
import { Troubles } from './troubles.ts'

const ref: Ref = { tenant: 'acme', workload: 'web', uid: 'u1', slot: 'a' }

function troubles() {
  const clock = new VirtualClock(1000)
  let changes = 0
  const parts = {
    clock,
    changed: () => {
      changes += 1
    },
    refusal: (error: unknown) =>
      error === 'full' ? ({ reason: 'engine_full', message: 'the disk is full' } as const) : undefined,
    tryAgainMs: 70,
  }
  return { clock, told: new Troubles(parts), changes: () => changes }
}

const fails = (error: unknown) => () => Promise.reject(error)

describe('what an engine refuses', () => {
  it('is told once with the time of its first word, and tried again', async () => {
    const { clock, told, changes } = troubles()
    const pass = () => told.during(ref, () => told.mending(ref, fails('full'), 2))
    expect(await pass()).toEqual(waitFor('the disk is full', 70))
    await clock.advance(500)
    await pass()
    expect(told.of(ref)).toEqual({ reason: 'engine_full', message: 'the disk is full', at: new Date(1000), replica: 2 })
    expect(changes()).toBe(1)
  })

  it('is over with the first pass that does not meet it', async () => {
    const { told, changes } = troubles()
    await told.during(ref, () => told.mending(ref, fails('full')))
    await told.during(ref, async () => done)
    expect([told.of(ref), changes()]).toEqual([undefined, 2])
  })

  it('is no refusal where it was something else: that is thrown, and what was known stays', async () => {
    const { told } = troubles()
    await told.during(ref, () => told.mending(ref, fails('full')))
    await expect(told.during(ref, () => told.mending(ref, fails('odd')))).rejects.toBe('odd')
    expect(told.of(ref)).toMatchObject({ reason: 'engine_full' })
  })
})
