/** What the tests try of a harness: a sample. Which one changes with every commit, and is told, so that it can be tried again. */
import { expect } from 'vitest'
import { tryAll, watchLives } from '../../harness/campaign.ts'
import type { GroundName } from '../../harness/ground.ts'
import { livesOn } from '../../harness/kinds-of-life.ts'
import { sampleOfCommit } from '../../harness/sample-of-commit.ts'
import { allTargets, inSample, samplesOn } from '../../harness/targets.ts'
import { closing } from '../../harness/telling.ts'
import { dying, told } from './dying.ts'

export function sampledDeaths(ground: GroundName): void {
  dying(ground, async (workshop) => {
    const sample = await sampleOfCommit(process.env, samplesOn[ground])
    const began = performance.now()
    const seen = await watchLives(workshop, livesOn[ground], 1)
    const all = allTargets(ground, seen.passed)
    const targets = inSample(all, sample, samplesOn[ground])
    const tried = await tryAll(workshop, seen, targets, () => undefined)
    const end = closing(tried, [], performance.now() - began)
    const which = `${ground}, GANTRY_HARNESS_SAMPLE=${sample} of ${samplesOn[ground]}`
    process.stderr.write(`${which}: ${targets.length} of ${all.length} points; ${end}\n`)
    const failed = tried.filter((each) => each.end === 'failed')
    expect(told(ground, failed)).toEqual([])
    // Points come from a run like these: where most of them are not found again, nothing was tried.
    expect(tried.filter((each) => each.end === 'passed').length).toBeGreaterThan(targets.length / 2)
  })
}
