/** The streams that are open, and whether their readers may still see them: asked again and again, once per reader. */
import { heartbeatMs } from '@gantry/api'
import { asFault, type Clock, Fault, isFault } from '@gantry/core'

/** What is told when its reader may no longer see it, and now and then that somebody is still there. */
export interface OpenStream {
  closeWith(fault: Fault): void
  beat(): void
}

/** Throws a fault once the reader may no longer see it. */
export type Recheck = () => Promise<void>

type Reader = { readonly streams: Set<OpenStream>; readonly recheck: Recheck }

export class OpenStreams {
  readonly #clock: Clock
  readonly #everyMs: number
  readonly #readers = new Map<string, Reader>()
  #cancel: (() => void) | undefined
  #cancelBeat: (() => void) | undefined
  #isClosed = false

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock
    this.#everyMs = everyMs
  }

  get count(): number {
    return [...this.#readers.values()].reduce((sum, { streams }) => sum + streams.size, 0)
  }

  /** `reader`: the same for all streams for which the same question would be asked. Returns how to take it out. */
  add(reader: string, stream: OpenStream, recheck: Recheck): () => void {
    if (this.#isClosed) stream.closeWith(stopping())
    const entry = this.#readers.get(reader) ?? { streams: new Set(), recheck }
    this.#readers.set(reader, entry)
    entry.streams.add(stream)
    this.#arm()
    return () => {
      entry.streams.delete(stream)
      if (entry.streams.size === 0 && this.#readers.get(reader) === entry) this.#readers.delete(reader)
    }
  }

  /** Tells every reader that the server stops. */
  close(): void {
    this.#isClosed = true
    this.#cancel?.()
    this.#cancelBeat?.()
    for (const { streams } of this.#readers.values()) for (const stream of [...streams]) stream.closeWith(stopping())
  }

  #arm(): void {
    if (this.#isClosed) return
    this.#cancel ??= this.#clock.after(this.#everyMs, () => void this.#look())
    this.#cancelBeat ??= this.#clock.after(heartbeatMs, () => this.#beat())
  }

  #beat(): void {
    this.#cancelBeat = undefined
    for (const { streams } of this.#readers.values()) for (const stream of streams) stream.beat()
    if (this.#readers.size > 0) this.#arm()
  }

  async #look(): Promise<void> {
    await Promise.all([...this.#readers.values()].map(ask))
    this.#cancel = undefined
    if (this.#readers.size > 0) this.#arm()
  }
}

async function ask({ streams, recheck }: Reader): Promise<void> {
  try {
    await recheck()
  } catch (error) {
    // Not being able to look is no reason to end a watch that was allowed; being told no is.
    if (isFault(error, 'unavailable')) return
    for (const stream of [...streams]) stream.closeWith(asFault(error))
  }
}

const stopping = (): Fault => new Fault('shutting_down', 'The server is stopping; watch again in a moment')
