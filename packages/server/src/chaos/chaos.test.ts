import { describe, expect, it } from 'vitest'
import { runSchedule } from './run.ts'

describe('one', () => {
  it('runs', { timeout: 60_000 }, async () => {
    const from = Number(process.env.SEED ?? 1)
    const count = Number(process.env.COUNT ?? 1)
    const begun = performance.now()
    const bad: string[] = []
    for (let seed = from; seed < from + count; seed++) {
      const at = performance.now()
      const { schedule, wrong, convergedMs } = await runSchedule(seed)
      if (count < 20) console.log(seed, JSON.stringify(schedule.acts), convergedMs, performance.now() - at)
      if (wrong.length > 0) bad.push(`${seed}: ${wrong.join('; ')}`)
    }
    console.log((performance.now() - begun) / count, 'ms each')
    expect(bad).toEqual([])
  })
})
