/** When tokens were last used, to the minute: kept in memory and written once a minute for all of them together. */
import { type Call, type Clock, isFault, type ObjectKey } from '@gantry/core'
import type { Store, SystemScope } from '@gantry/store'
import type { Log } from '../app/log.ts'

const minute = 60_000

type Deps = { readonly store: Store; readonly scope: SystemScope; readonly clock: Clock; readonly log: Log }

export class LastUsed {
  readonly #deps: Deps
  #used = new Map<string, { readonly key: ObjectKey; readonly at: number }>()
  /** The minute that is written already, by token; one that was used within it again costs nothing. */
  readonly #written = new Map<string, number>()
  #cancel: (() => void) | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  note(key: ObjectKey): void {
    const id = `${key.tenant ?? ''}/${key.name}`
    const at = Math.floor(this.#deps.clock.now() / minute) * minute
    if (this.#written.get(id) === at || this.#used.get(id)?.at === at) return
    this.#used.set(id, { key, at })
    this.#cancel ??= this.#deps.clock.after(minute, () => void this.#due())
  }

  async flush(call: Call): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    const used = this.#used
    this.#used = new Map()
    for (const [id, { key, at }] of used) {
      await this.#write(key, at, call)
      this.#written.set(id, at)
    }
  }

  async #write(key: ObjectKey, at: number, call: Call): Promise<void> {
    const { store, scope } = this.#deps
    const found = await store.read(scope, key, call)
    if (!found) return
    const status = { lastUsedAt: new Date(at).toISOString() }
    const ifVersion = found.metadata.resourceVersion
    try {
      await store.write(scope, [{ op: 'status', key, status, ifVersion }], {}, call)
    } catch (error) {
      // Revoked just now, or noted by another server: either is newer than what we know.
      if (!isFault(error, 'conflict') && !isFault(error, 'not_found')) throw error
    }
  }

  async #due(): Promise<void> {
    try {
      await this.flush({ signal: new AbortController().signal })
    } catch (error) {
      const reason = isFault(error) ? error.reason : 'unexpected'
      this.#deps.log.warn('could not write when tokens were last used', { reason })
    }
  }
}
