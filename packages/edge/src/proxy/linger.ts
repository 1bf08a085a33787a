/**
 * What is left of a request's body when its answer is out. Closing at once would reset the connection, and take the answer
 * from a client that has not read it yet; listening for ever would be a gift to whoever never ends.
 */
import type { IncomingMessage } from 'node:http'
import type { Clock } from '@gantry/core'

export function linger(request: IncomingMessage, clock: Clock, ms: number): void {
  if (request.complete || request.socket.destroyed) return
  const cancel = clock.after(ms, () => {
    if (!request.complete) request.socket.destroy()
  })
  request.once('close', cancel)
  request.resume()
}
