/**
 * A tenth of all the deaths that `npm run harness` tries. Which one changes with every commit, and is told, so that it can
 * be tried again: GANTRY_HARNESS_SAMPLE=3.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { tryAll, watchLives } from './campaign.ts'
import { sampleOfCommit } from './sample-of-commit.ts'
import { allTargets, inSample, targetName } from './targets.ts'
import { closing, replay } from './telling.ts'
import { Workshop } from './workshop.ts'

const workshop = new Workshop()
/** Of a machine that has other things to do as well. */
const patienceMs = 1_200_000

afterAll(async () => {
  workshop.end()
  expect(await workshop.close()).toEqual([])
}, 120_000)

describe('a death in the middle of anything', () => {
  it('leaves nothing stuck and nothing over: all comes to what was asked for', { timeout: patienceMs }, async () => {
    const sample = await sampleOfCommit(process.env)
    const began = performance.now()
    const seen = await watchLives(workshop, 1)
    const all = allTargets(seen.passed)
    const targets = inSample(all, sample)
    const tried = await tryAll(workshop, seen, targets, () => undefined)
    const told = closing(tried, [], performance.now() - began)
    process.stderr.write(`GANTRY_HARNESS_SAMPLE=${sample}: ${targets.length} of ${all.length} points; ${told}\n`)
    const failed = tried.filter(({ end }) => end === 'failed')
    expect(failed.map(({ target, why }) => [...why, replay(targetName(target))].join('\n'))).toEqual([])
    // Points come from a run like these: where most of them are not found again, nothing was tried.
    expect(tried.filter(({ end }) => end === 'passed').length).toBeGreaterThan(targets.length / 2)
  })
})
