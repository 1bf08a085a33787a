/** Faults as HTTP says them: RFC 9457, with nothing in it that is not for everyone. */
import { asFault, Fault, type FaultKind, faultMeaning, publicFault } from '@gantry/core'

export type Problem = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const problemType = 'application/problem+json; charset=utf-8'

export function problemOf(fault: Fault, requestId: string): Problem {
  const seconds = fault.retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(fault.retryAfterMs / 1000))
  return {
    status: faultMeaning[fault.kind].status,
    headers: {
      'content-type': problemType,
      ...(fault.kind === 'unauthenticated' && { 'www-authenticate': 'Bearer realm="gantry"' }),
      ...(seconds !== undefined && { 'retry-after': String(seconds) }),
    },
    body: JSON.stringify({ ...publicFault(fault), requestId }),
  }
}

/** What the HTTP layer itself refuses, by its code; its own words name nothing of ours, so they are not passed on. */
const refusals: Readonly<Record<string, () => Fault>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Fault('document_too_large', 'The body is larger than this endpoint takes'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Fault('bad_request', 'The body has a content type that this endpoint does not take; send application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new Fault('bad_request', 'The body is not as long as Content-Length says; send it again'),
  FST_ERR_BAD_URL: () => new Fault('bad_request', 'The path is not one: a % must begin an escaped character'),
  FST_ERR_MAX_PARAM_LENGTH: () => new Fault('route_not_found', 'A part of the path is longer than anything here'),
}

/** Any thrown value, with the refusals of the HTTP layer recognised by their code. */
export function faultOf(error: unknown): Fault {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const refusal = typeof code === 'string' && Object.hasOwn(refusals, code) ? refusals[code] : undefined
  return refusal ? refusal() : asFault(error)
}

/** Which outcome audit has for a request that ended like this. */
export function outcomeOf(kind: FaultKind): 'refused' | 'failed' {
  return kind === 'internal' || kind === 'unavailable' || kind === 'deadline' ? 'failed' : 'refused'
}
