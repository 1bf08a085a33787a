/** Two processes, one set of objects: every key is worked on by exactly one of them, and by the other when that one dies. */
import { sleep } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { expect, it } from 'vitest'
import { Shards } from '../leases/shards.ts'
import { done } from '../results/result.ts'
import { breaking, type Mishap } from '../testing/breaking.ts'
import { MemoryLeases } from '../testing/memory-leases.ts'
import { MemoryObjects } from '../testing/memory-objects.ts'
import { Controller } from './controller.ts'

const call = { signal: new AbortController().signal }

it('shares keys between processes, never runs one in two, and loses none when a process is cut off', async () => {
  const clock = new VirtualClock()
  const leases = new MemoryLeases(clock)
  const objects = new MemoryObjects('Thing', clock)
  const inside = new Map<string, string>()
  const violations: string[] = []
  const ranBy = new Map<string, Set<string>>()
  let cut = false

  const begin = (holder: string, cuttable: boolean) => {
    const store = breaking(leases, (): Mishap | undefined => (cuttable && cut ? 'hangs' : undefined))
    const shards = new Shards({ leases: store, holder, clock })
    const controller = new Controller({
      name: holder,
      kind: 'Thing',
      source: objects,
      ownership: shards,
      clock,
      random: () => 0,
      resyncMs: 20_000,
      async reconcile({ name }, run) {
        const other = inside.get(name)
        if (other) violations.push(`${name}: ${holder} while ${other}`)
        inside.set(name, holder)
        ranBy.set(name, (ranBy.get(name) ?? new Set()).add(holder))
        await sleep(clock, 500, run).finally(() => inside.delete(name))
        return done()
      },
    })
    shards.start()
    controller.start()
    return { shards, controller }
  }

  for (let index = 0; index < 60; index++) objects.apply(`thing-${index}`)
  const first = begin('first', true)
  const second = begin('second', false)
  await clock.advance(60_000)
  const by = (holder: string) => [...ranBy.values()].filter((holders) => holders.has(holder)).length
  expect(by('first')).toBeGreaterThan(10)
  expect(by('second')).toBeGreaterThan(10)
  expect(ranBy.size).toBe(60)

  cut = true
  await clock.advance(30_000)
  ranBy.clear()
  for (let index = 0; index < 60; index++) objects.apply(`thing-${index}`, { spec: { changed: true } })
  await clock.advance(10_000)
  expect(by('second')).toBe(60)
  expect(by('first')).toBe(0)
  expect(violations).toEqual([])

  cut = false
  for (const { shards, controller } of [first, second]) {
    const stopped = controller.stop({ deadlineMs: 10 }, call)
    await clock.advance(10)
    await stopped
    await shards.stop(call)
  }
  expect(clock.pending).toBe(0)
})
