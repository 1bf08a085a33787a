/** A case of the contract: a plain value, so that a test runner can register it and a test can run it against a liar. */
import { type Capability, isFault } from '@gantry/core'
import { capabilitiesOf } from '../capabilities.ts'
import type { Harness } from './harness.ts'
import { Kit } from './kit.ts'
import type { Row } from './rows.ts'

/** What a case cannot do without: a capability, a method beyond those, or images. */
export type Requirement = Capability | 'resources' | 'traffic' | 'replicas' | 'images' | 'hostFolder'

export type ContractCase = {
  readonly title: string
  readonly rows: readonly Row[]
  readonly needs?: readonly Requirement[]
  run(kit: Kit): Promise<void>
}

/** By the title of a case: why it does not apply. */
export type Skips = Readonly<Record<string, string>>

/** What this engine has not got of what a case needs. */
export function missing({ needs = [] }: ContractCase, harness: Harness): readonly Requirement[] {
  const offered = capabilitiesOf(harness.provider)
  return needs.filter((need) => {
    if (need === 'resources') return harness.provider.resources === undefined
    if (need === 'traffic') return harness.engine.traffic === undefined
    if (need === 'replicas') return harness.engine.replicas === undefined
    if (need === 'images') return !takesImages(harness)
    if (need === 'hostFolder') return harness.hostFolder === undefined
    return !offered.has(need)
  })
}

/** An engine without images says so itself, by refusing the field; a harness cannot decide that for it. */
function takesImages(harness: Harness): boolean {
  const kit = new Kit(harness)
  const desired = kit.desired({ services: [{ name: 'web', image: 'some/image:1' }] })
  return !harness.engine.check(desired).some(({ path }) => path === 'spec.services[0].image')
}

/**
 * Runs one case on a fresh harness. A skip is legal only where something the case needs is not offered; and what is
 * not offered must be skipped by name, so that nothing disappears in silence. Answers with the reason of a skip.
 */
export async function runCase(
  contractCase: ContractCase,
  make: () => Promise<Harness>,
  skips: Skips = {},
): Promise<{ readonly skipped: string } | undefined> {
  const harness = await make()
  try {
    const lacking = missing(contractCase, harness)
    const reason = skips[contractCase.title]
    if (reason !== undefined && lacking.length === 0) {
      throw new Error(
        `"${contractCase.title}" may not be skipped: everything it needs is offered (reason given: ${reason})`,
      )
    }
    if (reason !== undefined) return { skipped: reason }
    if (lacking.length > 0) {
      throw new Error(`"${contractCase.title}" needs ${lacking.join(', ')}: offer it, or skip the case with a reason`)
    }
    const kit = new Kit(harness)
    try {
      await contractCase.run(kit)
    } finally {
      await kit.close()
    }
    return undefined
  } catch (error) {
    // The issues of a fault are what tells a failing case apart from its neighbours.
    if (isFault(error) && error.issues.length > 0) error.message += ` ${JSON.stringify(error.issues)}`
    throw error
  } finally {
    await harness.dispose()
  }
}
