import { hasEnded, type RolloutSpec } from '@gantry/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryStrategy } from '../testing/rollout/arbitrary-scenes.ts'
import { ModelWorld, type Mood } from '../testing/rollout/model-world.ts'
import { slotOf, specOf, start } from '../testing/rollout/scenes.ts'

const mood = (broken: readonly number[]): fc.Arbitrary<Mood> =>
  fc.record({
    settleTicks: fc.integer({ min: 0, max: 3 }),
    ackTicks: fc.integer({ min: 0, max: 3 }),
    broken: fc.constant(broken),
  })

const spec: fc.Arbitrary<RolloutSpec> = fc
  .record({
    strategy: arbitraryStrategy,
    trigger: fc.constantFrom('deploy' as const, 'rollback' as const, 'restart' as const, 'move' as const),
    type: fc.constantFrom('deployment' as const, 'deployment' as const, 'stateful_set' as const),
    provider: fc.constantFrom('here', 'here', 'there'),
  })
  .map(({ strategy, ...more }) =>
    specOf({
      ...more,
      strategy: { ...strategy, progressDeadlineSeconds: 60 },
      ...(more.trigger === 'restart' && { release: 1, restartStamp: 's1' }),
    }),
  )

/** As earlier rollouts may have left the slots. */
const before = fc.constantFrom(
  [slotOf('a', 1)],
  [slotOf('b', 1)],
  [slotOf('a', 1), slotOf('b', 2)],
  [slotOf('a', 1), slotOf('b', 3, { settled: false, ready: 0 })],
  [slotOf('a', 1), slotOf('b', 2, { deleting: true })],
  [slotOf('a', 1, { ready: 0, settled: false }), slotOf('b', 3)],
  [slotOf('a', 1), slotOf('b', 2, { provider: 'there' })],
)

/** Every manual gate is opened as soon as it is waited at. */
function run(world: ModelWorld, asked: RolloutSpec, most = 120): void {
  let now = asked
  for (let left = most; left > 0; left -= 1) {
    const { status } = world.tick(now)
    if (hasEnded(status.phase)) return
    if (status.waitingOn === 'person') now = { ...now, promote: now.promote + 1 }
  }
  throw new Error(`not ended: ${JSON.stringify(world.status)}`)
}

describe('in a world that does as it is told, a rollout', () => {
  it('brings about the release in a bounded number of steps, from whatever an earlier one left', () => {
    fc.assert(
      fc.property(spec, mood([]), before, (asked, how, slots) => {
        const world = new ModelWorld(asked, slots, how, start)
        run(world, asked)
        expect(world.status.phase).toBe('succeeded')
        const { stable = 'a' } = world.status
        expect(world.status.weights?.[stable]).toBe(100)
        expect(world.slots.get(stable)?.facts).toMatchObject({ release: asked.release, provider: asked.provider })
        expect([...world.slots.values()].filter(({ facts }) => !facts.deleting)).toHaveLength(1)
      }),
      { numRuns: 600 },
    )
  })

  it('goes back to what was before where the release never becomes ready', () => {
    fc.assert(
      fc.property(spec, mood([2]), fc.constantFrom('a' as const, 'b' as const), (given, how, slot) => {
        const asked = { ...given, provider: 'here', type: 'deployment', strategy: rollsBack(given) } as const
        fc.pre(asked.trigger !== 'restart')
        const world = new ModelWorld(asked, [slotOf(slot, 1)], how, start)
        run(world, asked)
        expect(world.status).toMatchObject({
          phase: 'rolled_back',
          failure: { reason: 'progress_deadline' },
          stable: slot,
        })
        expect(world.status.weights?.[slot]).toBe(100)
        expect(world.slots.get(slot)?.facts).toMatchObject({ release: 1 })
        expect([...world.slots.values()].filter(({ facts }) => !facts.deleting)).toHaveLength(1)
      }),
      { numRuns: 300 },
    )
  })

  it('can be aborted at any time, and leaves one slot that answers', () => {
    fc.assert(
      fc.property(spec, mood([]), before, fc.integer({ min: 0, max: 30 }), (asked, how, slots, after) => {
        const world = new ModelWorld(asked, slots, how, start)
        for (let left = after; left > 0 && !hasEnded(world.status.phase); left -= 1) world.tick()
        run(world, { ...asked, abort: { by: 'eva', why: '' } })
        expect(['aborted', 'succeeded']).toContain(world.status.phase)
        const { stable = 'a', weights } = world.status
        if (world.slots.size > 0) expect(weights?.[stable]).toBe(100)
      }),
      { numRuns: 300 },
    )
  })

  it('says pending, then how it stands, and never goes from one end to another', () => {
    fc.assert(
      fc.property(spec, mood([]), before, (asked, how, slots) => {
        const world = new ModelWorld(asked, slots, how, start)
        run(world, asked)
        const ended = world.status
        world.tick()
        expect(world.status).toBe(ended)
      }),
      { numRuns: 300 },
    )
  })
})

function rollsBack({ strategy }: RolloutSpec): RolloutSpec['strategy'] {
  return { ...strategy, onFailure: 'rollback' }
}
