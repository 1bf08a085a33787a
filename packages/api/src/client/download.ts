/** A file, as it comes: too large to be held, so that nothing holds it. */
import type { Endpoint } from '../endpoint.ts'
import { type Caller, type CallOptions, callOf } from './call.ts'
import { readBytes } from './read-bytes.ts'
import { type Given, wireRequest } from './request.ts'

/** Asked for when somebody begins to read. `timeoutMs` is how long nothing may come, since the whole may take its time. */
export async function* download(
  caller: Caller,
  endpoint: Endpoint,
  given: Given,
  options: CallOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const { timeoutMs = caller.timeoutMs } = options
  const expected = { type: endpoint.reply.type, silenceMs: timeoutMs }
  yield* readBytes({ ...caller, timeoutMs }, wireRequest(endpoint, given), expected, callOf(options))
}
