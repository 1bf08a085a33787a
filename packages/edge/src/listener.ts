/** The port: taken when it is free, tried again while it is not, and given back without cutting anybody off. */
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '@gantry/core'
import { codeOf } from './proxy/retry.ts'

type Address = { readonly host: string; readonly port: number }

export interface Listener {
  /** Where it listens, or why it does not. */
  state(): { readonly listening?: Address; readonly trouble?: string }
  /** Takes nothing new and tells clients so; cuts off what is left after the grace. */
  close(graceMs: number): Promise<void>
}

const tryAgainMs = 1000
const closeIdleMs = 50

export function createListener(server: Server, at: Address, clock: Clock, say: (sentence: string) => void): Listener {
  let listening: Address | undefined
  let trouble: string | undefined
  let cancel: (() => void) | undefined
  let closed = false
  // Also those that became WebSockets, which the server itself forgets about.
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  server.on('error', (error) => {
    const sentence = sentenceFor(at, codeOf(error), error.message)
    if (sentence !== trouble) say(sentence)
    trouble = sentence
    if (!closed) cancel = clock.after(tryAgainMs, attempt)
  })
  server.on('listening', () => {
    const { port } = server.address() as AddressInfo
    listening = { host: at.host, port }
    if (trouble !== undefined) say(`Port ${port} is free now, and taken`)
    trouble = undefined
  })
  attempt()
  return {
    state: () => ({ ...(listening && { listening }), ...(trouble !== undefined && { trouble }) }),
    close,
  }

  function attempt(): void {
    server.listen(at.port, at.host)
  }

  async function close(graceMs: number): Promise<void> {
    closed = true
    cancel?.()
    if (!listening) return
    listening = undefined
    // Each answer from now on is the last on its connection, so that clients go elsewhere by themselves.
    server.prependListener('request', (_, response) => response.setHeader('connection', 'close'))
    const cut = clock.after(graceMs, () => {
      for (const socket of sockets) socket.destroy()
    })
    let stopLooking: () => void = () => undefined
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      closeIdle()
    })
    stopLooking()
    cut()

    // A connection whose last answer was under way when this began is unused only afterwards, and says so to nobody.
    function closeIdle(): void {
      server.closeIdleConnections()
      stopLooking = clock.after(closeIdleMs, closeIdle)
    }
  }
}

function sentenceFor({ host, port }: Address, code: string, message: string): string {
  const wayOut = 'stop it, or start with --edge HOST:PORT to listen elsewhere'
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is in use by another program: ${wayOut}`
  if (code === 'EACCES') return `Port ${port} may not be taken by this user: take one above 1023 with --edge HOST:PORT`
  return `Cannot listen on ${host}:${port} (${message}): start with --edge HOST:PORT to listen elsewhere`
}
