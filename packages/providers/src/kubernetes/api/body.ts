/** Bodies that are read piece by piece: by `for await`, no faster than that goes. */
import { type Call, type Fault, onAbort } from '@gantry/core'
import type { BodyStream } from './http1/body-stream.ts'
import { Incoming } from './incoming.ts'

/** Watched from now on, also before anybody reads: a caller who leaves in between leaves no connection behind. */
export function chunksOf(
  body: BodyStream,
  { signal }: Call,
  broken: (cause: unknown) => Fault,
): AsyncGenerator<Buffer> {
  const incoming = new Incoming<Buffer>({ full: () => body.pause(), roomy: () => body.resume() })
  const leave = onAbort(signal, () => {
    incoming.end({ error: signal.reason })
    body.destroy()
  })
  body.read({
    data: (bytes) => incoming.push(bytes),
    end: () => {
      leave()
      incoming.end()
    },
    fail: (cause) => {
      leave()
      incoming.end({ error: broken(cause) })
    },
  })
  return read()

  async function* read(): AsyncGenerator<Buffer> {
    try {
      yield* incoming
    } finally {
      leave()
      body.destroy()
    }
  }
}
