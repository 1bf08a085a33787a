/**
 * Requests without an identity, counted per address and minute: whoever knocks a thousand times gets one entry, so that
 * nobody can buy an fsync. Bounded: beyond so many addresses in a minute, the rest are counted together.
 */
import { type Call, type Clock, isFault } from '@gantry/core'
import type { Store, SystemScope } from '@gantry/store'
import type { Log } from '../app/log.ts'

const everyMs = 60_000
const mostAddresses = 1000
const others = 'elsewhere'

type Deps = { readonly store: Store; readonly scope: SystemScope; readonly clock: Clock; readonly log: Log }

export class Strangers {
  readonly #deps: Deps
  #counts = new Map<string, Map<string, number>>()
  #cancel: (() => void) | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Counts one refusal; the entry is written when the minute is over. */
  count(address: string, operation: string): void {
    const key = this.#counts.has(address) || this.#counts.size < mostAddresses ? address : others
    const operations = this.#counts.get(key) ?? new Map<string, number>()
    this.#counts.set(key, operations)
    operations.set(operation, (operations.get(operation) ?? 0) + 1)
    this.#cancel ??= this.#deps.clock.after(everyMs, () => void this.#due())
  }

  /** Writes what was counted; to be awaited before the store is closed. */
  async flush(call: Call): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    const counts = this.#counts
    this.#counts = new Map()
    for (const [from, operations] of counts) {
      const count = [...operations.values()].reduce((sum, each) => sum + each, 0)
      const detail = { count, operations: Object.fromEntries(operations) }
      const audit = { actor: 'nobody', action: 'identity.refused', outcome: 'refused', from, detail } as const
      await this.#deps.store.write(this.#deps.scope, [], { audit }, call)
    }
  }

  async #due(): Promise<void> {
    try {
      await this.flush({ signal: new AbortController().signal })
    } catch (error) {
      // The store says so to everyone who asks it anything; here only the count of a minute is lost.
      this.#deps.log.warn('could not record requests without identity', {
        reason: isFault(error) ? error.reason : 'unexpected',
      })
    }
  }
}
