/** Several streams in one WebSocket: the first byte of every message says which. Reads no faster than the slowest reader. */
import { type Call, onAbort } from '@gantry/core'
import { type Flow, Incoming } from './incoming.ts'
import type { MessageSocket } from './message-socket.ts'

export type Closed = { readonly code: number; readonly reason: string; readonly error?: unknown }

export type Channels = {
  readonly protocol: string
  /** For one reader: while it is full, nothing is read from the socket. */
  incoming(): Incoming
  /** Who takes what comes on a channel; to be said before `begin`. What nobody takes is dropped. */
  onMessage(channel: number, take: (bytes: Buffer) => void): void
  begin(): void
  /** Resolves when it has left our hands. */
  send(channel: number, bytes: Uint8Array): Promise<void>
  /** Once, when nothing more can come. `error` where the connection broke, or with the reason of a caller who left. */
  onClosed(tell: (how: Closed) => void): void
  close(): void
}

/** Not all servers take larger messages. */
const mostBytes = 32 * 1024

export function channelsOf(socket: MessageSocket, { signal }: Call): Channels {
  const takers = new Map<number, (bytes: Buffer) => void>()
  let full = 0
  let closed: Closed | undefined
  let error: unknown
  const listeners: ((how: Closed) => void)[] = []
  const flow: Flow = {
    full: () => {
      full += 1
      socket.pause()
    },
    roomy: () => {
      full -= 1
      if (full === 0) socket.resume()
    },
  }
  const leave = onAbort(signal, () => {
    error = signal.reason
    socket.terminate()
  })
  socket.binaryType = 'nodebuffer'
  socket.on('message', (data: Buffer) => {
    const channel = data[0]
    if (channel !== undefined) takers.get(channel)?.(data.subarray(1))
  })
  socket.on('error', (cause) => {
    error ??= cause
  })
  socket.once('close', (code, reason) => {
    leave()
    const how = { code, reason: reason.toString('utf8'), ...(error !== undefined && { error }) }
    closed = how
    for (const tell of listeners) tell(how)
  })

  return {
    protocol: socket.protocol,
    incoming: () => new Incoming(flow),
    onMessage: (channel, take) => void takers.set(channel, take),
    begin: () => socket.resume(),
    async send(channel, bytes) {
      for (let at = 0; at < bytes.length; at += mostBytes) {
        signal.throwIfAborted()
        await sent(channel, bytes.subarray(at, at + mostBytes))
      }
    },
    onClosed(tell) {
      if (closed) tell(closed)
      else listeners.push(tell)
    },
    // Paused, it would never see the other side close.
    close() {
      socket.resume()
      socket.close()
    },
  }

  function sent(channel: number, bytes: Uint8Array): Promise<void> {
    const message = Buffer.allocUnsafe(bytes.length + 1)
    message[0] = channel
    message.set(bytes, 1)
    return new Promise((resolve, reject) => {
      socket.send(message, (cause) => (cause ? reject(signal.aborted ? signal.reason : cause) : resolve()))
    })
  }
}
