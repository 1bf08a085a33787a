/** One connection of a watch: events as they come, until it ends, is cut, or falls silent. */
import { type Call, Fault, joinSignals, orAbort } from '@gantry/core'
import { silenceMs } from '../schemas/stream.ts'
import { answerOf, bad, faultOf } from './answer.ts'
import type { Caller } from './call.ts'
import type { WireRequest } from './request.ts'
import { EventReader, type ServerSentEvent } from './server-sent-events.ts'
import { send, unreachable } from './transport.ts'

/** `heard` is told of every sign of life, also of those that are no events. */
export async function* readStream(
  caller: Caller,
  request: WireRequest,
  heard: () => void,
  call: Call,
): AsyncGenerator<ServerSentEvent, void> {
  const own = new AbortController()
  const joined = joinSignals(call.signal, own.signal)
  const within = <T>(ms: number, work: Promise<T>): Promise<T> => {
    const late = `${request.method} ${caller.server}${request.target} was silent for ${ms} ms`
    const cancel = caller.clock.after(ms, () => own.abort(new Fault('deadline_exceeded', late)))
    return orAbort(work, joined).finally(cancel)
  }
  try {
    call.signal.throwIfAborted()
    const response = await within(caller.timeoutMs, send(caller, request, joined))
    const answer = answerOf(caller.server, response)
    if (response.status !== 200 || answer.type !== 'text/event-stream' || !response.body) {
      throw faultOf(answer, await within(caller.timeoutMs, response.text()))
    }
    heard()
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    const events = new EventReader()
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read())
      if (done) return
      heard()
      yield* pushed(events, decoder.decode(value, { stream: true }), (cause) =>
        bad(answer, 'sent an event that is longer than any of ours', cause),
      )
    }
  } catch (error) {
    throw unreachable(caller, request, error, joined)
  } finally {
    // First the end, then the ear for it: this is what closes the connection.
    own.abort(new Fault('aborted', 'Nobody reads the stream any more'))
    joined.clear()
  }
}

function pushed(events: EventReader, text: string, asFault: (cause: unknown) => Fault): ServerSentEvent[] {
  try {
    return events.push(text)
  } catch (cause) {
    throw asFault(cause)
  }
}
