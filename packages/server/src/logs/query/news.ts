/** What was appended since somebody last asked: one entry for each source, however much came. */
import { type Call, onAbort } from '@gantry/core'
import type { Appended } from '../log-store.ts'

export class News {
  #waiting = new Map<string, Appended>()
  #wake: (() => void) | undefined

  add(appended: Appended): void {
    this.#waiting.set(appended.folder, appended)
    this.#wake?.()
  }

  /** Resolves as soon as there is any. */
  async next({ signal }: Call): Promise<Appended[]> {
    signal.throwIfAborted()
    while (this.#waiting.size === 0) {
      await new Promise<void>((resolve, reject) => {
        const leave = onAbort(signal, () => reject(signal.reason))
        this.#wake = () => {
          leave()
          resolve()
        }
      }).finally(() => {
        this.#wake = undefined
      })
    }
    const found = [...this.#waiting.values()]
    this.#waiting = new Map()
    return found
  }
}
