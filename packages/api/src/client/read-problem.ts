/** A problem by hand: every client needs this one check, also those that load no schemas. A test holds it to the schema. */
import { faultMeaning } from '@gantry/core'
import type { Problem } from '../schemas/problem.ts'

/** Nothing if it is none of ours. */
export function readProblem(value: unknown): Problem | undefined {
  if (!isRecord(value)) return undefined
  const { type, title, status, detail, kind, reason, issues, retryAfterMs, requestId } = value
  const fits =
    [type, title, detail, reason].every((text) => typeof text === 'string') &&
    Number.isSafeInteger(status) &&
    typeof kind === 'string' &&
    Object.hasOwn(faultMeaning, kind) &&
    Array.isArray(issues) &&
    issues.every(isIssue) &&
    (retryAfterMs === undefined || (typeof retryAfterMs === 'number' && retryAfterMs >= 0)) &&
    (requestId === undefined || typeof requestId === 'string')
  return fits ? (value as Problem) : undefined
}

function isIssue(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { path, message, line } = value
  return typeof path === 'string' && typeof message === 'string' && (line === undefined || Number.isSafeInteger(line))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
