/** A WebSocket as browsers, Node and the package `ws` all have it: what the client needs of it, and no more. */
import { Fault } from '@gantry/core'

export type SocketEvent = { readonly data?: unknown; readonly code?: number; readonly reason?: string }

export interface WebSocketLike {
  binaryType: string
  /** Bytes that were given to it and are not on their way yet. */
  readonly bufferedAmount: number
  send(data: string | Uint8Array): void
  close(code?: number, reason?: string): void
  /** Where it can (`ws` can, browsers cannot): nothing more is taken from the network, until it is resumed. */
  pause?(): void
  resume?(): void
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: SocketEvent) => void): void
}

export type WebSocketFactory = (url: string, protocols: string[]) => WebSocketLike

type WithWebSocket = { readonly WebSocket?: new (url: string, protocols: string[]) => WebSocketLike }

/** The runtime's own. */
export function ownWebSocket(url: string, protocols: string[]): WebSocketLike {
  const { WebSocket: Own } = globalThis as unknown as WithWebSocket
  if (Own) return new Own(url, protocols)
  const what = 'This runtime has no WebSocket of its own'
  throw new Fault(
    'capability_missing',
    `${what}; use Node 22 or later, or give createClient one, as from the package ws`,
  )
}
