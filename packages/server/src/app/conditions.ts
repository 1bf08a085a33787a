/** The headers that make a write depend on what is there. One that is not understood is refused, never ignored. */
import { type Endpoint, readEtag } from '@gantry/api'
import { Fault } from '@gantry/core'
import type { Conditions } from './request.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

export function conditionsOf({ preconditions = [] }: Endpoint, headers: Headers): Conditions {
  const match = headers['if-match']
  const noneMatch = headers['if-none-match']
  if (match !== undefined && !preconditions.includes('if_match')) throw refusal('if-match', 'is not taken here')
  if (noneMatch !== undefined && !preconditions.includes('if_none_match')) {
    throw refusal('if-none-match', 'is not taken here')
  }
  if (noneMatch !== undefined && noneMatch !== '*') throw refusal('if-none-match', 'must be *')
  const ifMatch = match === undefined ? undefined : readEtag(String(match))
  if (match !== undefined && ifMatch === undefined) throw refusal('if-match', 'must be a generation such as "3"')
  if (ifMatch !== undefined && noneMatch !== undefined) throw refusal('if-match', 'excludes If-None-Match')
  return { ifMatch, ifNoneMatch: noneMatch !== undefined }
}

/** Where a stream broke off, as its reader remembers it. */
export function lastEventIdOf(headers: Headers): number | undefined {
  const text = headers['last-event-id']
  if (text === undefined || text === '') return undefined
  const version = /^[0-9]{1,16}$/.test(String(text)) ? Number(text) : undefined
  if (version !== undefined && Number.isSafeInteger(version)) return version
  throw refusal('last-event-id', 'must be the id of an event that a watch has sent')
}

function refusal(path: string, message: string): Fault {
  return new Fault('bad_request', `The header ${path} ${message}`, { issues: [{ path: `headers.${path}`, message }] })
}
