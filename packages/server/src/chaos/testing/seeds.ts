/** Many schedules, a block at a time. One that fails names its seed, with which it comes out the same again. */
import { runSchedule } from './run.ts'

const inBlock = 50

/** Seeds in blocks; `GANTRY_CHAOS_SEED=17` stands for that one alone. */
export function blocks(first: number, count: number): readonly (readonly number[])[] {
  const alone = process.env.GANTRY_CHAOS_SEED
  if (alone !== undefined) return [[Number(alone)]]
  const seeds = Array.from({ length: count }, (_, at) => first + at)
  return Array.from({ length: Math.ceil(count / inBlock) }, (_, at) => seeds.slice(at * inBlock, (at + 1) * inBlock))
}

/** What does not hold, by the seed and what happened; none if all does. */
export async function failures(seeds: readonly number[]): Promise<string[]> {
  const found: string[] = []
  for (const seed of seeds) {
    const { wrong, schedule } = await runSchedule(seed)
    if (wrong.length > 0) found.push(`GANTRY_CHAOS_SEED=${seed}: ${wrong.join('; ')}: ${JSON.stringify(schedule.acts)}`)
  }
  return found
}
