/** The body of an answer as it comes, until it ends, is cut, or falls silent. */
import { type Call, Fault, joinSignals, orAbort } from '@gantry/core'
import { type Answer, answerOf, faultOf } from './answer.ts'
import type { Caller } from './call.ts'
import type { WireRequest } from './request.ts'
import { send, unreachable } from './transport.ts'

export type Expected = {
  /** The type of what is promised; anything else is the fault that it is. */
  readonly type: string
  /** How long nothing may come. */
  readonly silenceMs: number
  /** Told once the headers are there. */
  readonly began?: (answer: Answer) => void
}

export async function* readBytes(
  caller: Caller,
  request: WireRequest,
  { type, silenceMs, began }: Expected,
  call: Call,
): AsyncGenerator<Uint8Array, void> {
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
    if (response.status !== 200 || answer.type !== type || !response.body) {
      throw faultOf(answer, await within(caller.timeoutMs, response.text()))
    }
    began?.(answer)
    const reader = response.body.getReader()
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read())
      if (done) return
      if (value) yield value
    }
  } catch (error) {
    throw unreachable(caller, request, error, joined)
  } finally {
    // First the end, then the ear for it: this is what closes the connection.
    own.abort(new Fault('aborted', 'Nobody reads the stream any more'))
    joined.clear()
  }
}
