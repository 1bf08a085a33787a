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

  constructor(targets: readonly Aimed[]) {
    for (const target of targets) this.add(target)
  }

  add({ action, point, victim }: Aimed): void {
    const queue = this.#queues.get(action) ?? []
    this.#queues.set(action, [...queue, { point, victim }])
  }

  /** `undefined`: all were tried. Who takes one owes the result. */
  next(): readonly Task[] | undefined {
    const kind = largest(kindsOfLife, (each) => this.#leftOf(each))
    if (!kind || this.#leftOf(kind) === 0) return undefined
    const [create, remove] = kind.outer
    const middle: Task[] = []
    for (let pairs = this.#pairsInNext(kind); pairs > 0; pairs--) {
      const [first, second] = largest(kind.inner, (pair) => this.#left(pair)) ?? []
      if (first && second) middle.push(this.#take(first), this.#take(second))
    }
    return [this.#take(create), ...middle, this.#take(remove)]
  }

  /** As many as it takes to be done with them when all lives are. */
  #pairsInNext({ outer, inner }: KindOfLife): number {
    const lives = Math.max(this.#left(outer), 1)
    const pairs = inner.reduce((sum, pair) => sum + this.#left(pair), 0)
    return Math.min(mostPairs, Math.ceil(pairs / lives), pairs)
  }

  #leftOf(kind: KindOfLife): number {
    return actionsOf(kind).reduce((sum, { name }) => sum + (this.#queues.get(name)?.length ?? 0), 0)
  }

  #left(pair: Pair): number {
    return Math.max(...pair.map(({ name }) => this.#queues.get(name)?.length ?? 0))
  }

  #take(action: Action): Task {
    return { action, target: this.#queues.get(action.name)?.shift() }
  }
}

const largest = <T>(all: readonly T[], size: (each: T) => number): T | undefined =>
  all.reduce<T | undefined>((most, each) => (most === undefined || size(each) > size(most) ? each : most), undefined)
