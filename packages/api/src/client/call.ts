/** One call of one endpoint. */
import { type Call, orAbort, withDeadline } from '@gantry/core'
import type { Endpoint } from '../endpoint.ts'
import { answerOf, isBytes, readReply } from './answer.ts'
import { type Given, type ReplyOf, type RequestFor, wireRequest } from './request.ts'
import { send, type Transport, unreachable } from './transport.ts'

/** What every method of the client takes last. */
export type CallOptions = {
  /** Ends the call, which then rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
  /** Ends the call with a `deadline` fault; left out: the client's own. */
  readonly timeoutMs?: number | undefined
}

export type Caller = Transport & { readonly timeoutMs: number }

const never: AbortSignal = new AbortController().signal

export function callOf({ signal }: CallOptions): Call {
  return { signal: signal ?? never }
}

/** The value that the endpoint promises, checked. */
export async function perform(
  caller: Caller,
  endpoint: Endpoint,
  given: Given,
  options: CallOptions = {},
): Promise<unknown> {
  const request = wireRequest(endpoint, given)
  const what = `${request.method} ${caller.server}${request.target}`
  const deadline = withDeadline(caller.clock, options.timeoutMs ?? caller.timeoutMs, what, callOf(options))
  try {
    deadline.signal.throwIfAborted()
    const response = await orAbort(send(caller, request, deadline), deadline)
    const read = async <T>(work: Promise<T>): Promise<T> =>
      await orAbort(work, deadline).catch((error: unknown) => {
        throw unreachable(caller, request, error, deadline)
      })
    const answer = answerOf(caller.server, response)
    if (isBytes(endpoint, answer)) return new Uint8Array(await read(response.arrayBuffer()))
    return readReply(endpoint, answer, await read(response.text()))
  } finally {
    deadline.clear()
  }
}

/** The same, typed from the endpoint. */
export function callEndpoint<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  given: RequestFor<E>,
  options: CallOptions = {},
): Promise<ReplyOf<E>> {
  return perform(caller, endpoint, given, options) as Promise<ReplyOf<E>>
}
