/** A case of the contract: a plain value, so that a test runner can register it and a test can run it against a liar. */
import { type Capability, isFault } from '@gantry/core'
import { capabilitiesOf } from '../capabilities.ts'
import type { Harness } from './harness.ts'
import { Kit, type SpecInput } from './kit.ts'
import type { Row } from './rows.ts'

/** What a case cannot do without: a capability, a method beyond those, or a field that the engine does not refuse. */
export type Requirement =
  | Capability
  | 'resources'
  | 'replicas'
  | 'pinned images'
  | 'traffic'
  | keyof typeof neededFields

/** An engine says itself what it has not got, by refusing the field; a harness cannot decide that for it. */
const neededFields = {
  images: { path: 'spec.services[0].image', input: () => ({ services: [{ name: 'web', image: 'some/image:1' }] }) },
  limits: {
    path: 'spec.services[0].resources',
    input: (kit) => ({ services: [kit.service({}, { resources: { cpu: '250m', memory: '64Mi' } })] }),
  },
  'restart: never': { path: 'spec.restart', input: () => ({ restart: { policy: 'never' } }) },
  dependsOn: {
    path: 'spec.services[1].dependsOn',
    input: (kit) => ({
      services: [kit.service(), kit.service({}, { name: 'helper', role: 'sidecar', dependsOn: [{ service: 'web' }] })],
    }),
  },
  'memory volumes': {
    path: 'spec.services[0].volumes',
    input: (kit) => ({
      services: [kit.service({}, { volumes: [{ name: 'm', path: kit.path('m'), type: 'memory' }] })],
    }),
  },
  'host volumes': {
    path: 'spec.services[0].volumes',
    input: (kit) => ({
      services: [
        kit.service({}, { volumes: [{ name: 'h', path: kit.path('h'), type: 'host', source: kit.path('h') }] }),
      ],
    }),
  },
} as const satisfies Record<string, { readonly path: string; input(kit: Kit): SpecInput }>

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
    if (need === 'replicas') return harness.engine.replicas === undefined
    if (need === 'pinned images') return harness.engine.resolveImage === undefined
    if (need === 'traffic') return harness.engine.traffic === undefined
    if (need in neededFields) return refuses(harness, need as keyof typeof neededFields)
    return !offered.has(need as Capability)
  })
}

function refuses(harness: Harness, need: keyof typeof neededFields): boolean {
  const kit = new Kit(harness)
  const { input, path } = neededFields[need]
  return harness.engine.check(kit.desired(input(kit))).some((issue) => issue.path.startsWith(path))
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
