import { systemClock } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { runCase } from '../contract/case.ts'
import { contractCases } from '../contract/cases.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'

/** One of each kind of wait: for readiness, for a grace, for lines, for a deadline, for events. */
const waiting = [
  'provisions twice with the effect of once',
  'replaces every process of a deployment at a restart, and waits until the new ones are ready',
  'ends a process that ignores being asked, when its grace is over',
  'goes on following when replicas are replaced',
  'ends a health check at its deadline when the engine accepts and never answers',
  'says that it is blind, and gives a whole new snapshot after the gap',
]

describe('the contract needs no virtual time', () => {
  it.concurrent.each(waiting)('%s', async (title) => {
    const found = contractCases.find((each) => each.title === title)
    if (!found) throw new Error(`there is no case "${title}"`)
    const outcome = await runCase(found, () => simulatedHarness({ clock: systemClock }))
    expect(outcome).toBeUndefined()
  })
})
