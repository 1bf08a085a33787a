/**
 * Changes in order, for as long as they are read, across as many connections as it takes: each goes on right after the
 * last event of the one before. What cannot go on without a gap ends with its fault, and is never skipped.
 */
import { Fault, faultMeaning, isFault, sleep } from '@gantry/core'
import type { Endpoint } from '../endpoint.ts'
import { problemType } from '../schemas/problem-headers.ts'
import { faultEvent } from '../schemas/stream.ts'
import { checked, faultOf, parsed } from './answer.ts'
import { type Caller, type CallOptions, callOf } from './call.ts'
import { type Given, type WireRequest, wireRequest } from './request.ts'
import type { ServerSentEvent } from './server-sent-events.ts'
import { readStream } from './stream.ts'

export type Watcher = Caller & {
  /** From 0 to 1, so that clients that were cut off together do not come back together. */
  readonly random: () => number
  /** After so long without a word from the server, a watch ends with the fault of its last try. */
  readonly giveUpAfterMs: number
}

export type Streaming = Endpoint & { readonly stream: NonNullable<Endpoint['stream']> }

type WatchQuery = { readonly since?: number | undefined; readonly labelSelector?: string | undefined }

const firstDelayMs = 250
const longestDelayMs = 10_000

/** `Change` is what the endpoint's stream is made of. */
export async function* watch<Change>(
  watcher: Watcher,
  endpoint: Streaming,
  given: Given & { readonly query: WatchQuery },
  options: CallOptions,
): AsyncGenerator<Change, never> {
  const { clock, random, giveUpAfterMs } = watcher
  const call = callOf(options)
  const { since } = given.query
  let lastId = since === undefined ? undefined : String(since)
  let lastHeard: number | undefined
  let failures = 0
  for (;;) {
    const fault = yield* oneConnection()
    // Before the first word there is nothing to go on from: the caller hears of it at once.
    const lost = lastHeard === undefined || clock.monotonic() - lastHeard > giveUpAfterMs
    if (lost || lastId === undefined) throw fault
    const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** failures++) * (0.5 + random() / 2)
    await sleep(clock, Math.max(delay, fault.retryAfterMs ?? 0), call)
  }

  /** Returns why it ended, if another one can go on from there; throws what ends the watch. */
  async function* oneConnection(): AsyncGenerator<Change, Fault> {
    const events = readStream(watcher, request(), heard, call)
    try {
      for (;;) {
        const next = await events.next().catch(resumable)
        if (isFault(next)) return next
        if (next.done) return new Fault('server_unreachable', `Gantry at ${watcher.server} ended the watch`)
        const change = changeOf(next.value)
        if (isFault(change)) return resumable(change)
        lastId = next.value.id ?? lastId
        failures = 0
        yield change
        // While the reader was busy nobody listened, so that was no silence.
        heard()
      }
    } finally {
      await events.return()
    }
  }

  function heard(): void {
    lastHeard = clock.monotonic()
  }

  function request(): WireRequest {
    const { headers, ...rest } = wireRequest(endpoint, { ...given, query: { ...given.query, watch: true } })
    const resume = lastHeard !== undefined && lastId !== undefined && { 'last-event-id': lastId }
    return { ...rest, headers: { ...headers, accept: 'text/event-stream', ...resume } }
  }

  function changeOf({ event, data }: ServerSentEvent): Change | Fault {
    const answer = { server: watcher.server, status: 200, type: problemType, requestId: undefined }
    if (event === faultEvent) return faultOf(answer, data)
    return checked(endpoint.stream.schema, parsed(answer, data), answer) as Change
  }
}

/** The fault, if trying again may help. What is too old stays too old. */
function resumable(error: unknown): Fault {
  if (isFault(error) && faultMeaning[error.kind].retry && error.kind !== 'expired' && error.kind !== 'conflict') {
    return error
  }
  throw error
}
