/** What an answer that is no success means: one table, the first row that fits. Pure. */
import { Fault, type FaultReason } from '@gantry/core'

type Row = {
  /** What was asked for, as `DELETE /containers/x`; left out: anything. */
  readonly asked?: RegExp
  readonly status?: number
  /** What the engine says in words, where its status alone does not tell things apart. */
  readonly says?: RegExp
  readonly reason: FaultReason
}

const removal = /^DELETE \/containers\/[^/]+$/
const ending = /^(?:DELETE \/containers\/[^/]+|POST \/containers\/[^/]+\/(?:stop|restart|kill))$/
const start = /^POST \/containers\/[^/]+\/start$/

const rows: readonly Row[] = [
  { says: /no space left on device/i, reason: 'engine_full' },
  // Killed, and not seen to end within the seconds that the engine waits for it: a busy machine, or one that it was just
  // about to start again. It does end.
  { asked: ending, says: /did not receive an exit event|context deadline exceeded/i, reason: 'engine_busy' },
  // It ended between two looks of the engine; somebody else is at it; or something has yet to let go of its files.
  { asked: removal, says: /is not running|is already in progress|device or resource busy/i, reason: 'engine_busy' },
  { asked: start, says: /is marked for removal/i, reason: 'engine_busy' },
  { says: /port is already allocated|address already in use/i, reason: 'port_in_use' },
  { status: 409, says: /is already in use by container|already exists/i, reason: 'engine_object_exists' },
  { status: 409, says: /is not running|is restarting|is paused/i, reason: 'service_not_running' },
  // A network of that name, or with addresses of another one.
  { status: 403, says: /Pool overlaps/i, reason: 'engine_object_exists' },
  { status: 400, reason: 'engine_rejected' },
  // In use: a network with containers in it answers 403, everything else 409.
  { status: 403, reason: 'engine_object_conflict' },
  { status: 404, reason: 'engine_object_not_found' },
  { status: 409, reason: 'engine_object_conflict' },
  { status: 501, reason: 'capability_missing' },
]

/** What stands before the engine's own words. */
const refused = 'Docker refused: '

export type Refusal = {
  readonly method: string
  readonly path: string
  readonly status: number
  /** As it came: JSON with a `message`, mostly. */
  readonly body: string
}

export function faultOf({ method, path, status, body }: Refusal): Fault {
  const said = messageIn(body)
  const asked = `${method} ${path}`
  const row = rows.find(
    (each) =>
      (each.status ?? status) === status && (each.asked?.test(asked) ?? true) && (each.says?.test(said) ?? true),
  )
  const detail = `${asked} was answered with ${status}: ${body.slice(0, 2_000)}`
  return new Fault(row?.reason ?? 'engine_refused', `${refused}${said || `status ${status}`}`, { detail })
}

/** Only what the engine said itself. */
export const wordsOf = ({ message }: Fault): string =>
  message.startsWith(refused) ? message.slice(refused.length) : message

/** The connection could not be made, or broke. */
export function unreachable(what: string, cause: unknown): Fault {
  const why = cause instanceof Error ? cause.message : String(cause)
  const message = `Docker does not answer (${why}); is the engine running, and may this user use its socket?`
  return new Fault('engine_unreachable', message, { detail: what, cause })
}

function messageIn(body: string): string {
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    return typeof message === 'string' ? message : body
  } catch {
    return body.trim().slice(0, 500)
  }
}
