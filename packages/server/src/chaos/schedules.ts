/** Blocks of schedules as tests. One that fails names its seed, with which it comes out the same again. */
import { describe, expect, it } from 'vitest'
import { runSchedule } from './run.ts'

const inBlock = 50

/** `GANTRY_CHAOS_SEED=17` runs that one alone. */
export function chaosSuite(first: number, count: number): void {
  const alone = process.env.GANTRY_CHAOS_SEED
  const blocks = Array.from({ length: Math.ceil(count / inBlock) }, (_, block) => first + block * inBlock)
  describe('what was asked for comes true after crashes, hangs and partitions, and nothing lies meanwhile', () => {
    if (alone !== undefined) {
      it(`with seed ${alone}`, { timeout: 600_000 }, () => holds(Number(alone)))
      return
    }
    it.each(blocks)(`with ${inBlock} seeds from %i on`, { timeout: 600_000 }, async (from) => {
      for (let seed = from; seed < Math.min(from + inBlock, first + count); seed++) await holds(seed)
    })
  })
}

async function holds(seed: number): Promise<void> {
  const { wrong, schedule } = await runSchedule(seed)
  const story = `GANTRY_CHAOS_SEED=${seed}: ${JSON.stringify(schedule.acts)}`
  expect(wrong, story).toEqual([])
}
