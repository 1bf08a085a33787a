/** Answers as they come: whole ones, and those that are read piece by piece. */
import type { Readable } from 'node:stream'
import { type Call, Fault, onAbort } from '@gantry/core'

/** A list of many thousand objects is far smaller. */
const mostBytes = 256 * 1024 * 1024

/** `broken` makes the fault of an answer that ends too early. */
export function wholeBody(message: Readable, call: Call, broken: (cause: unknown) => Fault): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const leave = onAbort(call.signal, () => {
      message.destroy()
      reject(call.signal.reason)
    })
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= mostBytes) return
      message.destroy()
      reject(
        new Fault('bad_answer', `The Kubernetes API answered with more than ${mostBytes} bytes; ask for less at once`),
      )
    })
    message.once('end', () => {
      leave()
      const [first] = chunks
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks, size))
    })
    message.once('error', (cause) => {
      leave()
      reject(broken(cause))
    })
    // After an end or an error this tells nobody anything.
    message.once('close', () => {
      leave()
      reject(broken(new Error('the answer broke off')))
    })
  })
}

/** Watched from now on, also before anybody reads: a caller who leaves in between leaves no connection behind. */
export function chunksOf(
  message: Readable,
  { signal }: Call,
  broken: (cause: unknown) => Fault,
): AsyncGenerator<Buffer> {
  const leave = onAbort(signal, () => message.destroy())
  message.once('close', leave)
  // Told to whoever reads; without a reader there is nobody to tell.
  message.on('error', () => undefined)
  return read()

  async function* read(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of message) yield chunk as Buffer
    } catch (cause) {
      signal.throwIfAborted()
      throw broken(cause)
    } finally {
      leave()
      if (!message.readableEnded) message.destroy()
    }
    signal.throwIfAborted()
  }
}
