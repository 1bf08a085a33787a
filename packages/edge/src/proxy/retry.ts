/** What may be done after a backend did not answer. Pure, because this is where a request could be carried out twice. */
import type { FailureReason } from '../figures/figures.ts'

export type Attempt = {
  readonly method: string
  readonly hasBody: boolean
  /** Anything of it may have reached the backend. */
  readonly sent: boolean
  /** The connection had carried an answer before: the backend may have closed it just then, without having read this. */
  readonly reused: boolean
  /** The head of an answer came. */
  readonly answered: boolean
  readonly error: unknown
}

export type Verdict = {
  readonly reason: FailureReason
  /** `elsewhere`: any other backend. `fresh`: also the same, over a new connection. `no`: it is told to the client. */
  readonly retry: 'elsewhere' | 'fresh' | 'no'
}

const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'])

export function verdictOn({ method, hasBody, sent, reused, answered, error }: Attempt): Verdict {
  const code = codeOf(error)
  if (!sent) return { reason: timeouts.has(code) ? 'timeout' : 'connect', retry: 'elsewhere' }
  if (timeouts.has(code)) return { reason: 'timeout', retry: 'no' }
  if (!resets.has(code)) return { reason: 'bad_answer', retry: 'no' }
  const again = reused && !answered && !hasBody && idempotent.has(method)
  return { reason: 'reset', retry: again ? 'fresh' : 'no' }
}

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])
const resets = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'])

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
