/** One connection of a watch: events as they come, until it ends, is cut, or falls silent. */
import type { Call, Fault } from '@gantry/core'
import { silenceMs } from '../schemas/stream.ts'
import { type Answer, bad } from './answer.ts'
import type { Caller } from './call.ts'
import { readBytes } from './read-bytes.ts'
import type { WireRequest } from './request.ts'
import { EventReader, type ServerSentEvent } from './server-sent-events.ts'

/** `heard` is told of every sign of life, also of those that are no events. */
export async function* readStream(
  caller: Caller,
  request: WireRequest,
  heard: () => void,
  call: Call,
): AsyncGenerator<ServerSentEvent, void> {
  const decoder = new TextDecoder()
  const events = new EventReader()
  let answer: Answer | undefined
  const began = (first: Answer): void => {
    answer = first
    heard()
  }
  for await (const bytes of readBytes(caller, request, { type: 'text/event-stream', silenceMs, began }, call)) {
    heard()
    yield* pushed(events, decoder.decode(bytes, { stream: true }), (cause) =>
      tooLong(answer ?? { server: caller.server, status: 200, type: '', requestId: undefined }, cause),
    )
  }
}

function tooLong(answer: Answer, cause: unknown): Fault {
  return bad(answer, 'sent an event that is longer than any of ours', cause)
}

function pushed(events: EventReader, text: string, asFault: (cause: unknown) => Fault): ServerSentEvent[] {
  try {
    return events.push(text)
  } catch (cause) {
    throw asFault(cause)
  }
}
