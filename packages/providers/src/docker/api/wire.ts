/** What is sent to an engine and comes back, before anybody knows what it means. */
import type { Duplex } from 'node:stream'
import type { Call } from '@gantry/core'
import type { ArchiveBody } from './api.ts'

export type WireRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Without the version. Names in it are escaped already. */
  readonly path: string
  /** Those that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly archive?: ArchiveBody
  /** How much longer than usual the answer may take; `forever` where the caller alone decides. */
  readonly moreMs?: number | 'forever'
  /** Hard work for an engine, of which it gets a little at a time; the deadline counts from when it is sent. */
  readonly turn?: 'create' | 'start' | 'remove'
}

export interface Wire {
  /** The whole answer. Throws what `faults.ts` says for a status from 400 on. */
  ask(request: WireRequest, call: Call): Promise<WireAnswer>
  /** Resolves when the answer begins; the deadline holds until then, and after that only the caller's signal. */
  open(request: WireRequest, call: Call): Promise<AsyncIterable<Buffer>>
  /** Turns the connection into a plain one, both ways. */
  hijack(request: WireRequest, call: Call): Promise<Hijacked>
  close(): void
}

export type WireAnswer = { readonly status: number; readonly body: Buffer }

export type Hijacked = {
  readonly socket: Duplex
  /** What arrived together with the answer, and comes before anything that is read. */
  readonly head: Buffer
}

export function targetOf({ path, query = {} }: WireRequest): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? path : `${path}?${given}`
}
