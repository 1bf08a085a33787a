/** What is sent to an API server and comes back, before anybody knows what it means. */
import type { Call } from '@gantry/core'
import type { BodyStream } from './http1/body-stream.ts'
import type { MessageSocket } from './message-socket.ts'

export type WireRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With everything but the server; names in it are escaped already. */
  readonly path: string
  readonly accept?: string
  readonly json?: unknown
  /** What `json` is; left out: `application/json`. */
  readonly contentType?: string
  /** Whether it may be sent a second time where nobody knows whether the first has arrived. Questions always may. */
  readonly harmless?: boolean
  /** Told the beginning of the body of an answer that is no refusal, once and at once: for who can go on by it already. */
  readonly onBegin?: (bytes: Buffer) => void
  /** Whether the answer may begin at any time: there is no deadline then. */
  readonly patient?: boolean
}

export interface Wire {
  /** For people. */
  readonly server: string
  /** The whole answer. Throws what `faults.ts` says for a status from 400 on. */
  ask(request: WireRequest, call: Call): Promise<Buffer>
  /** Resolves when the answer begins; the deadline holds until then, and whoever reads it heeds the caller's signal. */
  open(request: WireRequest, call: Call): Promise<BodyStream>
  /** A WebSocket, in the first of the protocols that the server speaks. It is paused: nothing is read until `resume`. */
  socket(path: string, protocols: readonly string[], call: Call): Promise<MessageSocket>
  close(): void
}

type Value = string | number | boolean | undefined

/** Those that are undefined are left out. */
export function query(values: Readonly<Record<string, Value>>): string {
  let text = ''
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) text += `${text === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`
  }
  return text
}
