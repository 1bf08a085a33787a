/** An engine whose line to the server can be broken in every way, while what it runs goes on. */
import { type Call, type Clock, onAbort, orAbort, sleep } from '@gantry/core'
import type { Engine, Observation } from '@gantry/providers'
import { lost, overlay } from '@gantry/providers/testing'
import type { Random } from './random.ts'

/** Shared by all servers that ever look at the engine. */
export class Line {
  /** Calls are taken and never answered, streams say nothing. */
  hangs = false
  /** Calls fail before or after their effect, or take long. */
  isFlaky = false
  readonly #waiting = new Set<() => void>()

  unhang(): void {
    this.hangs = false
    for (const go of [...this.#waiting]) go()
  }

  /** Resolves when it does not hang; for a call that was taken meanwhile that may be never. */
  async free({ signal }: Call): Promise<void> {
    while (this.hangs) {
      await new Promise<void>((resolve, reject) => {
        const leave = onAbort(signal, () => {
          this.#waiting.delete(go)
          reject(signal.reason)
        })
        const go = (): void => {
          this.#waiting.delete(go)
          leave()
          resolve()
        }
        this.#waiting.add(go)
      })
    }
    signal.throwIfAborted()
  }
}

export function unsteady(engine: Engine, line: Line, clock: Clock, random: Random): Engine {
  async function through<T>(method: string, call: Call, work: () => Promise<T>): Promise<T> {
    if (line.hangs) return await orAbort(new Promise<never>(() => undefined), call)
    if (!line.isFlaky) return await work()
    const dice = random.next()
    if (dice < 0.2) throw lost(method)
    if (dice < 0.4) {
      await work()
      throw lost(method)
    }
    if (dice < 0.6) await sleep(clock, random.below(8_000), call)
    return await work()
  }

  async function* observe(call: Call): AsyncIterable<Observation> {
    await line.free(call)
    for await (const seen of engine.observe(call)) {
      await line.free(call)
      yield seen
    }
  }

  const { resolveImage } = engine
  return overlay(engine, {
    observe,
    info: (call) => through('info', call, () => engine.info(call)),
    converge: (desired, call) => through('converge', call, () => engine.converge(desired, call)),
    remove: (ref, options, call) => through('remove', call, () => engine.remove(ref, options, call)),
    look: (ref, call) => through('look', call, () => engine.look(ref, call)),
    ...(resolveImage && {
      resolveImage: (wanted, call) => through('resolveImage', call, () => resolveImage.call(engine, wanted, call)),
    }),
  })
}
