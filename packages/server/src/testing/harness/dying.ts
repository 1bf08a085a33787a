/** The frame of every test of deaths: a workshop on its ground, one title, and nothing left over afterwards. */
import { afterAll, describe, expect, it } from 'vitest'
import type { Tried } from '../../harness/campaign.ts'
import type { GroundName } from '../../harness/ground.ts'
import { grounds } from '../../harness/grounds.ts'
import { targetName } from '../../harness/targets.ts'
import { replay } from '../../harness/telling.ts'
import { Workshop } from '../../harness/workshop.ts'

/** Of a machine that has other things to do as well. */
const patienceMs = 1_200_000

export function dying(
  ground: GroundName,
  tryThem: (workshop: Workshop) => Promise<void>,
  options: ConstructorParameters<typeof Workshop>[1] = {},
): void {
  const workshop = new Workshop(grounds[ground], options)

  afterAll(async () => {
    workshop.end()
    expect(await workshop.close()).toEqual([])
  }, 300_000)

  describe(`a death in the middle of anything (${ground})`, () => {
    it('leaves nothing stuck and nothing over: all comes to what was asked for', { timeout: patienceMs }, () =>
      tryThem(workshop),
    )
  })
}

/** Each with why, and how it is tried again alone. */
export const told = (ground: GroundName, bad: readonly Tried[]): string[] =>
  bad.map(({ target, why }) => [...why, replay(ground, targetName(target))].join('\n'))
