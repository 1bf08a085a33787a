/** From an answer to a value, or to the fault that it is. What is not documented is never passed on as if it were. */
import { Fault, type FaultReason } from '@gantry/core'
import type { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { problemType, requestIdHeader } from '../schemas/problem-headers.ts'
import { readProblem } from './read-problem.ts'
import { RemoteFault } from './remote-fault.ts'
import type { Answered } from './transport.ts'

/** What is read of an answer before it is judged. */
export type Answer = {
  readonly server: string
  readonly status: number
  readonly type: string
  readonly requestId: string | undefined
}

export function answerOf(server: string, response: Answered): Answer {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  return { server, status: response.status, type, requestId: response.headers.get(requestIdHeader) ?? undefined }
}

/** The value that the endpoint promises. */
export function readReply({ reply }: Endpoint, answer: Answer, text: string): unknown {
  const promised = reply.statuses.some((status) => status === answer.status) && answer.type === reply.type
  if (!promised) throw faultOf(answer, text)
  if (reply.type === 'text/plain') return text
  return checked(reply.schema, parsed(answer, text), answer)
}

/** Whether it is what was promised, and no text: nobody may take it for one. */
export function isBytes({ reply }: Endpoint, { status, type }: Answer): boolean {
  return reply.type === 'application/gzip' && type === reply.type && reply.statuses.some((one) => one === status)
}

/** Why there is no value. */
export function faultOf(answer: Answer, text: string): Fault {
  if (answer.type === problemType) {
    const problem = readProblem(parsed(answer, text))
    if (problem) return new RemoteFault(problem, answer.requestId)
  }
  const { status, type } = answer
  const what = `HTTP ${status}${type === '' ? '' : ` and ${type}`}`
  if (status >= 300 && status < 400) return bad(answer, `sends elsewhere (${what}). Use the address that it sends to`)
  return bad(answer, `answered with ${what}, which is not how Gantry answers. Is there something else in between?`)
}

/** The value itself and not a copy: what a newer server adds stays. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, answer: Answer): T {
  const { success, error } = schema.safeParse(value)
  if (success) return value as T
  const [first] = error.issues
  const where = first?.path.join('.') || 'the answer'
  throw bad(answer, `answered with something else than it promises: ${where} (${first?.message})`)
}

export function parsed(answer: Answer, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw bad(answer, 'answered with JSON that cannot be read. Was the answer cut off?', cause)
  }
}

export function bad({ server, requestId }: Answer, what: string, cause?: unknown): Fault {
  const reason: FaultReason = 'bad_answer'
  const asked = requestId === undefined ? '' : ` (request ${requestId})`
  return new Fault(reason, `The server at ${server} ${what}${asked}`, { cause })
}
