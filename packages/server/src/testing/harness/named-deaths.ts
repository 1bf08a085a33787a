/** Single deaths of a harness, by name: where trying a sample would take too long. */
import { afterAll, describe, expect, it } from 'vitest'
import { tryAll, watchLives } from '../../harness/campaign.ts'
import type { GroundName } from '../../harness/ground.ts'
import { grounds } from '../../harness/grounds.ts'
import { targetFrom, targetName } from '../../harness/targets.ts'
import { replay } from '../../harness/telling.ts'
import { Workshop } from '../../harness/workshop.ts'

/** Of a machine that has other things to do as well. */
const patienceMs = 1_200_000

export function namedDeaths(ground: GroundName, names: readonly string[]): void {
  const workshop = new Workshop(grounds[ground])

  afterAll(async () => {
    workshop.end()
    expect(await workshop.close()).toEqual([])
  }, 300_000)

  describe(`a death in the middle of anything (${ground})`, () => {
    it('leaves nothing stuck and nothing over: all comes to what was asked for', { timeout: patienceMs }, async () => {
      // No life is watched first, so how many objects there should be is not compared.
      const seen = await watchLives(workshop, 0)
      const tried = await tryAll(workshop, seen, names.map(targetFrom), () => undefined)
      const bad = tried.filter(({ end }) => end !== 'passed')
      expect(bad.map(({ target, why }) => [...why, replay(ground, targetName(target))].join('\n'))).toEqual([])
    })
  })
}
