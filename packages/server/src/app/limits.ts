/** How much of the server one request may have. */
import { documentLimits, longestArchive } from '@gantry/core'

export type HttpLimits = {
  /** Bytes of a body. */
  readonly bodyBytes: number
  /** From the first byte of a request to its last: a slow client is cut off. */
  readonly requestMs: number
  /** From the first byte of the headers to their last. */
  readonly headersMs: number
  /** Between two requests on one connection. */
  readonly idleMs: number
  /** How often connections are looked at for the two above. */
  readonly checkEveryMs: number
  /** From a whole request to its answer; streams excepted. */
  readonly answerMs: number
  /** How long the reader of a stream may leave what was sent unread. */
  readonly stalledMs: number
  /** The same of a command or a forwarded port: people page through what they got, and what is held is little. */
  readonly unreadMs: number
  /** How often an open stream asks again whether its reader may still see it. */
  readonly recheckMs: number
}

export const httpLimits: HttpLimits = {
  // An object beside the largest chart, which takes a third more on its way.
  bodyBytes: documentLimits.bytes + Math.ceil(longestArchive / 3) * 4,
  requestMs: 30_000,
  headersMs: 10_000,
  idleMs: 65_000,
  checkEveryMs: 1_000,
  answerMs: 30_000,
  stalledMs: 30_000,
  unreadMs: 3_600_000,
  recheckMs: 1_000,
}
