/** Why a WebSocket was refused, as node:http gives it. */
import type { IncomingMessage } from 'node:http'
import { type Call, type Fault, onAbort } from '@gantry/core'

/** `broken` makes the fault of an answer that ends too early. */
export async function wholeMessage(
  message: IncomingMessage,
  { signal }: Call,
  broken: (cause: unknown) => Fault,
): Promise<string> {
  const leave = onAbort(signal, () => message.destroy())
  const chunks: Buffer[] = []
  try {
    for await (const chunk of message) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString('utf8')
  } catch (cause) {
    signal.throwIfAborted()
    throw broken(cause)
  } finally {
    leave()
  }
}
