/** One step after another, whoever asks. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  /** Settles as the work does. One that fails keeps nobody from its turn. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work)
    this.#last = next.catch(() => undefined)
    return next
  }
}
