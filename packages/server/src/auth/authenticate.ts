/** Who asks. The seam for those who know their users already; tokens are what the server brings itself. */
import type { Identity } from '@gantry/api'
import type { Call } from '@gantry/core'

export type Credentials = {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly address: string
}

/** `undefined`: these credentials are none of mine, ask the next. Throws `unauthenticated` for those that are bad. */
export type Authenticate = (credentials: Credentials, call: Call) => Promise<Identity | undefined>

/** The token of `Authorization: Bearer …`, if there is one. */
export function bearerOf({ headers }: Credentials): string | undefined {
  const { authorization } = headers
  return typeof authorization === 'string' ? /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization)?.[1] : undefined
}
