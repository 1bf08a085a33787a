/** What the tests try of a harness: a sample. Which one changes with every commit, and is told, so that it can be tried again. */
import { afterAll, describe, expect, it } from 'vitest'
import { tryAll, watchLives } from '../../harness/campaign.ts'
import type { GroundName } from '../../harness/ground.ts'
import { grounds } from '../../harness/grounds.ts'
import { sampleOfCommit } from '../../harness/sample-of-commit.ts'
import { allTargets, inSample, samplesOn, targetName } from '../../harness/targets.ts'
import { closing, replay } from '../../harness/telling.ts'
import { Workshop } from '../../harness/workshop.ts'

/** Of a machine that has other things to do as well. */
const patienceMs = 1_200_000

export function sampledDeaths(ground: GroundName): void {
  const workshop = new Workshop(grounds[ground])

  afterAll(async () => {
    workshop.end()
    expect(await workshop.close()).toEqual([])
  }, 300_000)

  describe(`a death in the middle of anything (${ground})`, () => {
    it('leaves nothing stuck and nothing over: all comes to what was asked for', { timeout: patienceMs }, async () => {
      const sample = await sampleOfCommit(process.env, samplesOn[ground])
      const began = performance.now()
      const seen = await watchLives(workshop, 1)
      const all = allTargets(ground, seen.passed)
      const targets = inSample(all, sample, samplesOn[ground])
      const tried = await tryAll(workshop, seen, targets, () => undefined)
      const told = closing(tried, [], performance.now() - began)
      const which = `${ground}, GANTRY_HARNESS_SAMPLE=${sample} of ${samplesOn[ground]}`
      process.stderr.write(`${which}: ${targets.length} of ${all.length} points; ${told}\n`)
      const failed = tried.filter(({ end }) => end === 'failed')
      expect(failed.map(({ target, why }) => [...why, replay(ground, targetName(target))].join('\n'))).toEqual([])
      // Points come from a run like these: where most of them are not found again, nothing was tried.
      expect(tried.filter(({ end }) => end === 'passed').length).toBeGreaterThan(targets.length / 2)
    })
  })
}
