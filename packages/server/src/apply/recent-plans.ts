/** What the newest plans were made from, so that one that no longer holds can be told what moved. Bounded, and in memory only. */
import type { ObjectKey } from '@gantry/core'
import { describe } from '../objects/draft.ts'

export type Seen = { readonly object: ObjectKey; readonly generation: number | undefined; readonly desired: string }

const most = 500

export class RecentPlans {
  readonly #plans = new Map<string, readonly Seen[]>()

  remember(hash: string, seen: readonly Seen[]): void {
    this.#plans.delete(hash)
    this.#plans.set(hash, seen)
    const [oldest] = this.#plans.keys()
    if (this.#plans.size > most && oldest !== undefined) this.#plans.delete(oldest)
  }

  /** In words, per object. Empty: the plan is not known here, because it is too old or another server made it. */
  moved(hash: string, now: readonly Seen[]): string[] {
    const before = this.#plans.get(hash)
    if (!before) return []
    const text = ({ object }: Seen): string => describe(object)
    const old = new Map(before.map((seen) => [text(seen), seen]))
    const came = now.filter((seen) => !old.has(text(seen))).map((seen) => `${text(seen)} was not part of the plan`)
    const names = new Set(now.map(text))
    const went = before.filter((seen) => !names.has(text(seen))).map((seen) => `${text(seen)} is no longer part of it`)
    const changed = now.flatMap((seen) => {
      const then = old.get(text(seen))
      return then === undefined ? [] : difference(then, seen)
    })
    return [...changed, ...came, ...went]
  }
}

function difference(then: Seen, now: Seen): string[] {
  const name = describe(now.object)
  if (then.generation === now.generation) {
    return then.desired === now.desired ? [] : [`what is wanted of ${name} is not what was planned`]
  }
  if (then.generation === undefined) return [`${name} was made since, and is at generation ${now.generation}`]
  if (now.generation === undefined) return [`${name} was at generation ${then.generation}, and is gone`]
  return [`${name} was at generation ${then.generation}, and is at ${now.generation}`]
}
