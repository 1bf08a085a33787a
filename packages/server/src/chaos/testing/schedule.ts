/** Pure: what happens when, made from a seed alone. */
import type { WorkloadInput } from '@gantry/core'
import { type Random, randomFrom } from './random.ts'

/** What a person does to a workload. */
export type Wish = 'create' | 'deploy' | 'deploy_broken' | 'scale' | 'stop' | 'start' | 'restart' | 'go_back' | 'delete'

/** What goes wrong. Each trouble of an engine lasts until its end. */
export type Trouble =
  /** A process of some replica ends with an error. */
  | { readonly do: 'crash' }
  /** A replica is taken away behind our back. */
  | { readonly do: 'vanish' }
  /** The engine cannot be reached, and says so. */
  | { readonly do: 'cut' | 'heal' }
  /** The engine takes calls and never answers, its stream says nothing. */
  | { readonly do: 'hang' | 'unhang' }
  /** Calls fail before or after their effect, or take long. */
  | { readonly do: 'flaky' | 'calm' }
  /** The server is gone in the middle of whatever it does, and comes back. */
  | { readonly do: 'kill' | 'boot' }

export type Act = { readonly atMs: number } & (Trouble | { readonly do: Wish; readonly workload: number })

export type Strategy = NonNullable<WorkloadInput['strategy']>

export type Schedule = {
  readonly seed: number
  /** One for each workload. */
  readonly strategies: readonly Strategy[]
  /** In order. */
  readonly acts: readonly Act[]
  /** From here on nothing goes wrong any more. */
  readonly endMs: number
}

const gates = { minReadySeconds: 1, progressDeadlineSeconds: 30 }

const strategies: readonly Strategy[] = [
  { type: 'rolling', ...gates },
  { type: 'recreate', ...gates },
  { type: 'blue_green', warmSeconds: 1, ...gates },
  {
    type: 'canary',
    steps: [
      { weight: 20, pauseSeconds: 2 },
      { weight: 60, pauseSeconds: 1 },
    ],
    ...gates,
  },
]

const wishes: readonly Wish[] = [
  'deploy',
  'deploy',
  'deploy_broken',
  'scale',
  'scale',
  'stop',
  'start',
  'restart',
  'go_back',
  'delete',
  'create',
]

export function scheduleFrom(seed: number): Schedule {
  const random = randomFrom(seed)
  const count = random.chance(0.75) ? 1 : 2
  // Most are short, because many are run; some are long enough for an engine that merely hangs to be found out.
  const endMs = random.chance(0.9) ? 3_000 + random.below(9_000) : 35_000 + random.below(10_000)
  const acts: Act[] = Array.from({ length: count }, (_, workload) => ({
    atMs: random.below(500),
    do: 'create',
    workload,
  }))
  for (let left = 1 + random.below(4); left > 0; left--) {
    acts.push({ atMs: random.below(endMs), do: random.pick(wishes), workload: random.below(count) })
  }
  for (let left = 1 + random.below(3); left > 0; left--) acts.push(...troubleFrom(random, endMs))
  return {
    seed,
    strategies: Array.from({ length: count }, () => random.pick(strategies)),
    acts: acts.toSorted((a, b) => a.atMs - b.atMs),
    endMs,
  }
}

const pairs = [
  ['cut', 'heal'],
  ['hang', 'unhang'],
  ['flaky', 'calm'],
  ['kill', 'boot'],
] as const satisfies readonly (readonly [Trouble['do'], Trouble['do']])[]

function troubleFrom(random: Random, endMs: number): Act[] {
  const atMs = random.below(endMs)
  if (random.chance(0.3)) return [{ atMs, do: random.pick(['crash', 'vanish'] as const) }]
  const [begin, end] = random.pick(pairs)
  return [
    { atMs, do: begin },
    { atMs: Math.min(endMs, atMs + 200 + random.below(endMs)), do: end },
  ]
}
