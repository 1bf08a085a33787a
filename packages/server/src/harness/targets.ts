/** Pure: which deaths there are to try, of all that was seen, and which of them are tried in a sample. */
import { createHash } from 'node:crypto'
import type { Target } from './act.ts'
import type { ActionName } from './actions.ts'
import type { GroundName, Victim } from './ground.ts'
import { actionsOf, kindsOfLife } from './kinds-of-life.ts'

export type Aimed = Target & { readonly action: ActionName }

/** What was passed during each action. */
export type Passed = ReadonlyMap<ActionName, ReadonlySet<string>>

/** A death on Docker or Kubernetes takes longer, and there are more of them: so many runs of the tests are one whole harness. */
export const samplesOn: Record<GroundName, number> = { local: 10, docker: 100, kubernetes: 100 }

type Others = { readonly victim: Victim; readonly among: (points: readonly string[]) => readonly string[] }

/** Those that outlive the server die at a few moments only: what they do does not depend on its every step. */
const fewMoments = (points: readonly string[]): readonly string[] => spread(points, 3)

/** A daemon does what it is asked to: it dies before and after the first of each thing that an action asks of it. */
const firstCalls = (points: readonly string[]): readonly string[] =>
  points.filter((point) => /^(?:docker|kubernetes)\..* #1$/.test(point))

const othersOn: Record<GroundName, readonly Others[]> = {
  local: [
    { victim: 'supervisor', among: fewMoments },
    { victim: 'edge', among: fewMoments },
  ],
  docker: [
    { victim: 'edge', among: fewMoments },
    { victim: 'daemon', among: firstCalls },
  ],
  kubernetes: [
    { victim: 'edge', among: fewMoments },
    { victim: 'api', among: firstCalls },
  ],
}

export function allTargets(ground: GroundName, passed: Passed): readonly Aimed[] {
  return [...passed].flatMap(([action, points]) => [
    ...[...points].map((point): Aimed => ({ action, point, victim: 'server' })),
    ...othersOn[ground].flatMap(({ victim, among }) =>
      among([...points]).map((point): Aimed => ({ action, point, victim })),
    ),
  ])
}

/** `3/20`: the third of twenty, counted from nothing; `3`: of as many as there are on this ground. */
export function sampleFrom(text: string, ground: GroundName): readonly [sample: number, samples: number] {
  const [, sample, samples = samplesOn[ground]] = /^(\d+)(?:\/([1-9]\d*))?$/.exec(text) ?? []
  if (sample === undefined) throw new Error(`${text} is no sample; 3/20 is the third of twenty, counted from nothing`)
  return [Number(sample), Number(samples)]
}

/** By name and not by place, so that every target is in one of the samples whatever else there is. */
export function inSample(targets: readonly Aimed[], sample: number, samples: number): readonly Aimed[] {
  return targets.filter((target) => sampleOf(target, samples) === sample % samples)
}

export const sampleOf = (target: Aimed, samples: number): number => numberOf(target) % samples

/**
 * What an engine is asked comes first, and deaths of others than the server: that is what differs from engine to engine. Among
 * these, and among the rest, comes some of everything, so that who does not wait for the end has tried some of everything.
 */
export const shuffled = (targets: readonly Aimed[]): readonly Aimed[] =>
  targets.toSorted((left, right) => rankOf(left) - rankOf(right) || numberOf(left) - numberOf(right))

const rankOf = ({ point, victim }: Aimed): number =>
  victim !== 'server' || /^(?:docker|kubernetes|supervisor)\./.test(point) ? 0 : 1

const numberOf = (target: Aimed): number => createHash('sha256').update(targetName(target)).digest().readUInt32BE(0)

export const targetName = ({ action, point, victim }: Aimed): string => `${action}: ${point}: ${victim}`

/** The opposite. That there is such a point, only a run can tell. */
export function targetFrom(name: string): Aimed {
  const [, action = '', point = '', victim = ''] = /^([^:]+): (.+): (\w+)$/.exec(name) ?? []
  const known = kindsOfLife.flatMap(actionsOf).find((each) => each.name === action)
  const who = (['server', 'edge', 'supervisor', 'daemon', 'api'] as const).find((each) => each === victim)
  if (known && who) return { action: known.name, point, victim: who }
  throw new Error(`${name} is not the name of a target; --list tells them`)
}

/** A few of many, from the beginning, the middle and the end. */
function spread<T>(all: readonly T[], wanted: number): readonly T[] {
  const step = all.length / Math.min(wanted, all.length)
  return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}
