/** What a client and a backend may cost before they are given up. */
import type { ConnectionLimits } from '../upstream/connection.ts'

export type EdgeLimits = ConnectionLimits & {
  readonly headerBytes: number
  /** For the whole head of a request. */
  readonly headersMs: number
  /** How long a client may be silent in the midst of a body, or not take any of an answer. */
  readonly stallMs: number
  /** What a body must bring on average while it is waited for, once `stallMs` has been waited in all. */
  readonly bodyBytesPerSecond: number
  /** How long a client's connection is kept between two requests. */
  readonly keepAliveMs: number
  /** How long the rest of a body that nobody wants is listened to, so that the client gets to read the answer. */
  readonly lingerMs: number
  readonly connections: number
}

export const usualLimits: EdgeLimits = {
  headerBytes: 32_768,
  headersMs: 15_000,
  stallMs: 60_000,
  bodyBytesPerSecond: 32,
  keepAliveMs: 75_000,
  lingerMs: 5_000,
  connections: 16_384,
  connectMs: 5_000,
  answerMs: 120_000,
  idleMs: 4_000,
}
