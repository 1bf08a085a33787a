/** A body that is read as it comes. What comes before somebody reads is kept, and the other side waits meanwhile. */
export interface ByteReader {
  data(bytes: Buffer): void
  end(): void
  fail(cause: unknown): void
}

export interface BodyStream {
  /** Once. Whatever came already is told at once. */
  read(reader: ByteReader): void
  pause(): void
  resume(): void
  /** Leaves it, and the connection with it. */
  destroy(): void
}

export type BodyLine = { pause(): void; resume(): void; destroy(): void }

/** The two ends of one: what the connection writes into, and what is read. */
export class BodyPipe implements BodyStream {
  readonly #line: BodyLine
  #reader: ByteReader | undefined
  #kept: Buffer[] = []
  #ended: { readonly cause?: unknown } | undefined

  constructor(line: BodyLine) {
    this.#line = line
    line.pause()
  }

  push(bytes: Buffer): void {
    if (this.#reader) this.#reader.data(bytes)
    else this.#kept.push(bytes)
  }

  close(how: { readonly cause?: unknown }): void {
    if (this.#ended) return
    this.#ended = how
    if (this.#reader) this.#tellEnd(this.#reader, how)
  }

  read(reader: ByteReader): void {
    this.#reader = reader
    for (const bytes of this.#kept.splice(0)) reader.data(bytes)
    if (this.#ended) this.#tellEnd(reader, this.#ended)
    else this.#line.resume()
  }

  pause(): void {
    this.#line.pause()
  }

  resume(): void {
    this.#line.resume()
  }

  destroy(): void {
    if (!this.#ended) this.#line.destroy()
  }

  #tellEnd(reader: ByteReader, how: { readonly cause?: unknown }): void {
    if ('cause' in how) reader.fail(how.cause)
    else reader.end()
  }
}
