/** The queue against a slow and obvious model of it, over random histories. */
import { VirtualClock } from '@gantry/core/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import type { Priority } from './priority.ts'
import type { WorkItem } from './work-queue.ts'

type Fact = { wanted: boolean; running: boolean; dueAt: number | undefined }

/** Says what may be taken, never in which order: orders have their own tests. */
class Model {
  readonly facts = new Map<string, Fact>()

  of(key: string): Fact {
    const fact = this.facts.get(key) ?? { wanted: false, running: false, dueAt: undefined }
    this.facts.set(key, fact)
    return fact
  }

  pass(now: number): void {
    for (const fact of this.facts.values()) {
      if (fact.dueAt === undefined || fact.dueAt > now) continue
      fact.dueAt = undefined
      fact.wanted = true
    }
  }

  count(is: (fact: Fact) => boolean): number {
    return [...this.facts.values()].filter(is).length
  }
}

const key = fc.integer({ min: 0, max: 7 }).map((index) => `key-${index}`)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), key, priority: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('later' as const), key, ms: fc.integer({ min: 1, max: 50 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('done' as const), nth: fc.nat(7), ms: fc.option(fc.nat(50)) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 30 }) }) },
)

describe('any history of adds, takes and ends', () => {
  it('hands out exactly the keys that are wanted and not running, and loses none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
        const clock = new VirtualClock(0)
        const queue = new FairQueue(clock)
        const model = new Model()
        const runs: WorkItem[] = []
        for (const now of steps) {
          if (now.do === 'add') {
            queue.add(now.key, now.key.slice(-1), now.priority as Priority)
            model.of(now.key).wanted = true
          } else if (now.do === 'later') {
            queue.addAfter(now.key, now.ms, now.key.slice(-1))
            const fact = model.of(now.key)
            if (!fact.wanted) fact.dueAt = Math.min(fact.dueAt ?? Number.POSITIVE_INFINITY, clock.monotonic() + now.ms)
          } else if (now.do === 'take') {
            const item = queue.take()
            const ready = model.count((fact) => fact.wanted && !fact.running)
            expect(item === undefined).toBe(ready === 0)
            if (!item) continue
            expect(model.of(item.key)).toMatchObject({ wanted: true, running: false })
            Object.assign(model.of(item.key), { wanted: false, running: true, dueAt: undefined })
            runs.push(item)
          } else if (now.do === 'done') {
            const [item] = runs.splice(now.nth % Math.max(1, runs.length), 1)
            if (!item) continue
            const fact = model.of(item.key)
            fact.running = false
            if (now.ms === null) queue.done(item)
            else queue.done(item, { afterMs: now.ms, priority: 1 })
            if (now.ms === 0) fact.wanted = true
            else if (now.ms !== null && !fact.wanted)
              fact.dueAt = Math.min(fact.dueAt ?? Number.POSITIVE_INFINITY, clock.monotonic() + now.ms)
          } else {
            await clock.advance(now.ms)
            model.pass(clock.monotonic())
          }
          expect(queue.metrics()).toMatchObject({
            depth: model.count((fact) => fact.wanted && !fact.running),
            running: model.count((fact) => fact.running),
            delayed: model.count((fact) => fact.dueAt !== undefined),
          })
          for (const [name, fact] of model.facts)
            expect(queue.has(name)).toBe(fact.wanted || fact.running || fact.dueAt !== undefined)
        }
      }),
      { numRuns: 150 },
    )
  })
})
