/** Someone who observes an engine while a case does other things. */
import { joinSignals } from '@gantry/core'
import type { Observation } from '../observed.ts'
import type { Kit } from './kit.ts'

export class Watcher {
  readonly seen: Observation[] = []
  readonly #kit: Kit
  readonly #left = new AbortController()
  readonly #end: Promise<unknown>

  constructor(kit: Kit) {
    this.#kit = kit
    const signal = joinSignals(kit.call.signal, this.#left.signal).signal
    this.#end = this.#watch(signal).catch((error: unknown) => error)
  }

  async #watch(signal: AbortSignal): Promise<void> {
    for await (const seen of this.#kit.harness.engine.observe({ signal })) this.seen.push(seen)
  }

  /** Waits until the observations so far have what is looked for. */
  async next(find: (seen: readonly Observation[]) => Observation | undefined | false): Promise<Observation> {
    return await this.#kit.eventually('it is observed', async () => find(this.seen))
  }

  /** Leaves with a reason, and answers with what came back: it must be the same. */
  async leave(): Promise<string> {
    const reason = new Error('seen enough')
    this.#left.abort(reason)
    return (await this.#kit.settle(this.#end)) === reason ? 'the reason of the caller' : 'something else'
  }
}
