/** Where the next page begins. Opaque to callers, and of use only with the query it came from. */
import { Fault } from '@gantry/core'

export type Position = {
  readonly tenant: string
  readonly name: string
  /** Of the first page, so that a watch from there sees what changed while the pages were read. */
  readonly version: number
}

/** Everything that must be the same from page to page, as one string. */
export type QueryIdentity = string

export function encodePosition(position: Position, query: QueryIdentity): string {
  const text = JSON.stringify([position.version, position.tenant, position.name, query])
  return Buffer.from(text, 'utf8').toString('base64url')
}

export function decodePosition(token: string, query: QueryIdentity): Position {
  const parts = parse(token)
  if (parts === undefined) throw refusal('it is not one that a list has given out')
  const [version, tenant, name, from] = parts
  if (from !== query) throw refusal('it belongs to a list with another kind, tenant or label selector')
  return { version, tenant, name }
}

function parse(token: string): [number, string, string, string] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    if (!Array.isArray(parts) || parts.length !== 4) return undefined
    const [version, ...texts] = parts
    // A position is compared with keys in SQL, where PostgreSQL would choke on a NUL.
    if (!Number.isSafeInteger(version) || version < 0) return undefined
    if (!texts.every((text) => typeof text === 'string' && !text.includes('\0'))) return undefined
    return parts as [number, string, string, string]
  } catch {
    return undefined
  }
}

function refusal(why: string): Fault {
  return new Fault('schema', `The continue token cannot be used: ${why}. Start the list again without it`, {
    issues: [{ path: 'continue', message: why }],
  })
}
