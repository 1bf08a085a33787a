/** What an answer that is no success means: one table, the first row that fits. Pure. */
import { Fault, type FaultReason, type Issue } from '@gantry/core'
import { conflictIssues, fieldIssues, issueText, strictIssues, typedIssues, typedPatch } from './fault-issues.ts'
import { deniedText } from './fault-words.ts'
import type { Status } from './types/status.ts'

type Row = {
  readonly code?: number
  /** The server's own word for it. */
  readonly reason?: string
  /** What it says in words, where code and reason do not tell things apart. */
  readonly says?: RegExp
  /** What one of its causes is. */
  readonly cause?: string
  readonly fault: FaultReason
}

const rows: readonly Row[] = [
  // Of our own sign-in, and not of who asks us: so neither is a fault of theirs.
  { code: 401, fault: 'engine_unauthenticated' },
  { code: 403, says: /exceeded quota/i, fault: 'engine_full' },
  { cause: 'NamespaceTerminating', fault: 'engine_object_conflict' },
  { code: 403, says: /because it is being terminated/i, fault: 'engine_object_conflict' },
  { code: 403, says: /cannot \S+ (?:resource|path) |attempting to grant RBAC permissions/i, fault: 'engine_forbidden' },
  // Words of the kubelet, which come with several codes.
  {
    says: /container not found|is not running|is waiting to start|not created or running|in a stopped state|current phase is (?:Succeeded|Failed)/i,
    fault: 'service_not_running',
  },
  // The container runs, but the command is none that it has.
  { says: /failed to start exec|OCI runtime exec failed/i, fault: 'engine_rejected' },
  { says: /previous terminated container .* not found/i, fault: 'engine_object_not_found' },
  // The node has removed what it ran, and its log with it.
  { says: /unable to retrieve container logs/i, fault: 'engine_object_not_found' },
  { says: /admission webhook .* denied the request/i, fault: 'engine_rejected' },
  // An admission plugin (pod security, limit ranges) has said no: the object is wrong for this cluster.
  { code: 403, fault: 'engine_rejected' },
  { code: 404, fault: 'engine_object_not_found' },
  { code: 409, reason: 'AlreadyExists', fault: 'engine_object_exists' },
  { code: 409, cause: 'FieldManagerConflict', fault: 'engine_object_conflict' },
  { code: 409, reason: 'Conflict', fault: 'version_conflict' },
  { code: 409, fault: 'engine_object_conflict' },
  { code: 410, fault: 'version_expired' },
  { code: 400, fault: 'engine_rejected' },
  { code: 413, fault: 'engine_rejected' },
  { code: 422, fault: 'engine_rejected' },
  // What is to be applied does not fit the kind: a field that it does not have, text for a number.
  { code: 500, says: typedPatch, fault: 'engine_rejected' },
  { code: 405, fault: 'capability_missing' },
  { code: 406, fault: 'capability_missing' },
  { code: 415, fault: 'capability_missing' },
  { code: 429, fault: 'too_many_requests' },
  { code: 503, fault: 'engine_unreachable' },
  { code: 504, fault: 'deadline_exceeded' },
]

export type Refusal = {
  readonly method: string
  readonly path: string
  readonly status: number
  /** As it came: a Status in JSON, mostly. */
  readonly body: string
  /** Who asked: `admin of context test in ~/.kube/config`. */
  readonly as: string
  readonly retryAfterMs?: number
}

export function faultOf({ method, path, status, body, as, retryAfterMs }: Refusal): Fault {
  const said = statusIn(body)
  const detail = `${method} ${path} was answered with ${status}: ${body.slice(0, 2_000)}`
  return faultOfStatus({ ...said, code: status }, { as, detail, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

type More = { readonly as: string; readonly detail: string; readonly retryAfterMs?: number }

export function faultOfStatus(status: Status, more: More): Fault {
  const reason = reasonOf(status)
  const issues = issuesOf(status)
  const { detail, retryAfterMs } = more
  return new Fault(reason, messageOf(status, reason, issues, more.as), {
    issues,
    detail,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** What stands before the cluster's own words. */
const refused = 'Kubernetes refused: '

/** Only what the cluster said itself. */
export const wordsOf = ({ message }: Fault): string =>
  message.startsWith(refused) ? message.slice(refused.length) : message

/** The connection could not be made, or broke. */
export function unreachable(server: string, what: string, cause: unknown): Fault {
  const why = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : String(cause)
  const message = `The Kubernetes API at ${server} does not answer (${why}); is it running, and reachable from here?`
  return new Fault('engine_unreachable', message, { detail: what, cause })
}

function reasonOf({ code = 0, reason = '', message = '', details }: Status): FaultReason {
  const row = rows.find(
    (each) =>
      (each.code ?? code) === code &&
      (each.reason ?? reason) === reason &&
      (each.says?.test(message) ?? true) &&
      (each.cause === undefined || (details?.causes ?? []).some((cause) => cause.reason === each.cause)),
  )
  return row?.fault ?? (code >= 400 && code < 500 ? 'engine_rejected' : 'engine_refused')
}

function issuesOf({ code, message = '', details }: Status): readonly Issue[] {
  const causes = details?.causes ?? []
  if (code === 409) return conflictIssues(causes)
  if (code === 422) return fieldIssues(causes)
  if (code === 500) return typedIssues(message)
  return code === 400 ? strictIssues(message) : []
}

function messageOf(status: Status, reason: FaultReason, issues: readonly Issue[], as: string): string {
  const { code = 0, message = '' } = status
  const words = message.trim() || `status ${code}`
  switch (reason) {
    case 'engine_unauthenticated':
      return `Kubernetes does not know ${as} (${words}); its token or certificate has expired or is of another cluster`
    case 'engine_forbidden':
      return deniedText(message) ?? `${refused}${words}`
    case 'engine_object_conflict':
      return issues.length > 0
        ? `Kubernetes refused to take fields of others: ${issueText(issues)}`
        : `${refused}${words}`
    default:
      return `${refused}${words}`
  }
}

function statusIn(body: string): Status {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'Status') {
      return value as Status
    }
  } catch {
    // Not everything in between speaks JSON.
  }
  return { kind: 'Status', message: body.trim().slice(0, 500) }
}
