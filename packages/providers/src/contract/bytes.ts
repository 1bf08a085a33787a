/** Text to and from the bytes of a session. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

/** Reads chunk by chunk, so that a test can wait for a certain output while the command goes on. */
export class Reader {
  text = ''
  readonly #iterator: AsyncIterator<Uint8Array>
  readonly #decoder = new TextDecoder()

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#iterator = stream[Symbol.asyncIterator]()
  }

  /** Resolves when all that was read contains `part`; throws if the stream ends before. */
  async until(part: string): Promise<string> {
    while (!this.text.includes(part)) {
      const { done, value } = await this.#iterator.next()
      if (done) throw new Error(`the stream ended before ${JSON.stringify(part)}; it said ${JSON.stringify(this.text)}`)
      this.text += this.#decoder.decode(value, { stream: true })
    }
    return this.text
  }

  async toEnd(): Promise<string> {
    for (;;) {
      const { done, value } = await this.#iterator.next()
      if (done) return this.text
      this.text += this.#decoder.decode(value, { stream: true })
    }
  }
}
