/** Puts deaths into lives of workloads: made, changed and changed back, and removed, each time with another death. */
import type { Target } from './act.ts'
import type { Action, ActionName, Pair } from './actions.ts'
import { actionsOf, type KindOfLife, kindsOfLife } from './kinds-of-life.ts'
import type { Aimed } from './targets.ts'

export type Task = { readonly action: Action; readonly target: Target | undefined }

/** So few that nothing of a life is forgotten before its end because there was too much of it. */
const mostPairs = 6

export class Schedule {
  readonly #queues = new Map<ActionName, Target[]>()
  /** How many there were in the beginning. */
  readonly #given: ReadonlyMap<ActionName, number>

  constructor(targets: readonly Aimed[]) {
    for (const target of targets) this.add(target)
    this.#given = new Map([...this.#queues].map(([action, { length }]) => [action, length]))
  }

  add({ action, point, victim }: Aimed): void {
    const queue = this.#queues.get(action) ?? []
    this.#queues.set(action, [...queue, { point, victim }])
  }

  /**
   * `undefined`: all were tried. Who takes one owes the result. What has most of its share left comes next: so whoever ends early
   * has tried as much of one kind of life, and of one action, as of another.
   */
  next(): readonly Task[] | undefined {
    const kind = largest(kindsOfLife, (each) => this.#leftOf(each) / sum(actionsOf(each), this.#givenTo))
    if (!kind || this.#leftOf(kind) === 0) return undefined
    const [create, remove] = kind.outer
    const middle: Task[] = []
    for (let pairs = this.#pairsInNext(kind); pairs > 0; pairs--) {
      const share = (pair: Pair) => this.#left(pair) / Math.max(...pair.map(this.#givenTo))
      const [first, second] = largest(kind.inner, share) ?? []
      if (first && second) middle.push(this.#take(first), this.#take(second))
    }
    return [this.#take(create), ...middle, this.#take(remove)]
  }

  /** As many as it takes to be done with them when all lives are. */
  #pairsInNext({ outer, inner }: KindOfLife): number {
    const lives = Math.max(this.#left(outer), 1)
    const pairs = sum(inner, (pair) => this.#left(pair))
    return Math.min(mostPairs, Math.ceil(pairs / lives), pairs)
  }

  #leftOf(kind: KindOfLife): number {
    return sum(actionsOf(kind), ({ name }) => this.#queues.get(name)?.length ?? 0)
  }

  /** At least one, so that a share can be told. */
  readonly #givenTo = ({ name }: Action): number => this.#given.get(name) ?? 1

  #left(pair: Pair): number {
    return Math.max(...pair.map(({ name }) => this.#queues.get(name)?.length ?? 0))
  }

  #take(action: Action): Task {
    return { action, target: this.#queues.get(action.name)?.shift() }
  }
}

const largest = <T>(all: readonly T[], size: (each: T) => number): T | undefined =>
  all.reduce<T | undefined>((most, each) => (most === undefined || size(each) > size(most) ? each : most), undefined)

const sum = <T>(all: readonly T[], size: (each: T) => number): number =>
  all.reduce((total, each) => total + size(each), 0)
