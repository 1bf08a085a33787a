/** So many at once and no more: who comes later waits in line, for as long as the caller does. */
import { type Call, onAbort } from '@gantry/core'

export class Turns {
  #free: number
  /** In the order they came. */
  readonly #line = new Set<() => void>()

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  async during<T>(call: Call, work: () => Promise<T>): Promise<T> {
    await this.#take(call)
    try {
      return await work()
    } finally {
      this.#give()
    }
  }

  #take({ signal }: Call): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const leave = onAbort(signal, () => {
        this.#line.delete(enter)
        reject(signal.reason)
      })
      const enter = (): void => {
        leave()
        resolve()
      }
      this.#line.add(enter)
    })
  }

  #give(): void {
    const [next] = this.#line
    if (!next) this.#free += 1
    else {
      this.#line.delete(next)
      next()
    }
  }
}
