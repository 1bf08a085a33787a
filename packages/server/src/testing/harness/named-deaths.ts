/** Single deaths of a harness, by name: where trying a sample would take too long. */
import { expect } from 'vitest'
import { tryAll, watchLives } from '../../harness/campaign.ts'
import type { GroundName } from '../../harness/ground.ts'
import { targetFrom } from '../../harness/targets.ts'
import { dying, told } from './dying.ts'

/**
 * Each list on an installation of its own, all beside each other: for the most part they wait. That nothing is left in files and
 * stores is seen with the first, which takes a life of its own.
 */
export function namedDeaths(ground: GroundName, ...lists: readonly (readonly string[])[]): void {
  dying(
    ground,
    async (workshop) => {
      // No life is watched first, so how many objects there should be is not compared.
      const seen = await watchLives(workshop, [], 0)
      const tried = await Promise.all(
        lists.map((names) => tryAll(workshop, seen, names.map(targetFrom), () => undefined, 1)),
      )
      const bad = tried.flat().filter(({ end }) => end !== 'passed')
      expect(told(ground, bad)).toEqual([])
    },
    { warmUps: 1 },
  )
}
