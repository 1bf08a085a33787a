/** Pure: which deaths there are to try, of all that was seen, and which of them are tried in a sample. */
import { createHash } from 'node:crypto'
import type { Target, Victim } from './act.ts'
import type { ActionName } from './actions.ts'

export type Aimed = Target & { readonly action: ActionName }

/** What was passed during each action. */
export type Passed = ReadonlyMap<ActionName, ReadonlySet<string>>

export const samples = 10

/** Those that outlive the server die at a few moments only: what they do does not depend on its every step. */
const others: readonly Victim[] = ['supervisor', 'edge']
const momentsOfOthers = 3

export function allTargets(passed: Passed): readonly Aimed[] {
  return [...passed].flatMap(([action, points]) => [
    ...[...points].map((point): Aimed => ({ action, point, victim: 'server' })),
    ...others.flatMap((victim) =>
      spread([...points], momentsOfOthers).map((point): Aimed => ({ action, point, victim })),
    ),
  ])
}

/** By name and not by place, so that every target is in one of the samples whatever else there is. */
export function inSample(targets: readonly Aimed[], sample: number): readonly Aimed[] {
  return targets.filter((target) => sampleOf(target) === sample % samples)
}

export function sampleOf(target: Aimed): number {
  return createHash('sha256').update(targetName(target)).digest().readUInt32BE(0) % samples
}

export const targetName = ({ action, point, victim }: Aimed): string => `${action}: ${point}: ${victim}`

/** A few of many, from the beginning, the middle and the end. */
function spread<T>(all: readonly T[], wanted: number): readonly T[] {
  const step = all.length / Math.min(wanted, all.length)
  return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}
