/** A change feed in memory that can be compacted, cut and made to lose events. */
import { type Call, Fault, orAbort } from '@gantry/core'
import type { SourceChange } from '../controller/source.ts'

export class ChangeLog {
  #changes: SourceChange[] = []
  #version = 0
  #expiredBefore = 0
  #wake = withResolvers()
  #cuts = 0
  /** Changes are recorded and never told: what happens when every event is lost. */
  silent = false
  /** How many are following at the moment. */
  followers = 0

  get version(): number {
    return this.#version
  }

  append(change: SourceChange): void {
    this.#version = change.resourceVersion
    if (!this.silent) this.#changes.push(change)
    this.#wakeAll()
  }

  /** Forgets everything so far: whoever still needs it gets `expired`. */
  compact(): void {
    this.#changes = []
    this.#expiredBefore = this.#version
    this.#cuts += 1
    this.#wakeAll()
  }

  async *follow(since: number, call: Call): AsyncIterable<SourceChange> {
    let at = since
    let cuts = this.#cuts
    this.followers += 1
    try {
      for (;;) {
        call.signal.throwIfAborted()
        if (at < this.#expiredBefore || cuts !== this.#cuts) throw new Fault('version_expired', 'too old; list again')
        cuts = this.#cuts
        for (const change of this.#changes) {
          if (change.resourceVersion <= at) continue
          at = change.resourceVersion
          yield change
        }
        await orAbort(this.#wake.promise, call)
      }
    } finally {
      this.followers -= 1
    }
  }

  #wakeAll(): void {
    const woken = this.#wake
    this.#wake = withResolvers()
    woken.resolve()
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
