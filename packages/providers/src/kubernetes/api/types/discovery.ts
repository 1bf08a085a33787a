/** What a server says of itself. */
export type ServerVersion = {
  readonly gitVersion: string
  readonly major: string
  readonly minor: string
  readonly platform?: string
}
