/** What goes with every question, so that a cluster knows who asks. */
import type { Call } from '@gantry/core'

/** The same object for as long as nothing has changed. */
export type Signed = {
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** A certificate of ours, in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string }
}

export interface Credentials {
  /** From memory while it is good; else it is looked for anew. */
  current(call: Call): Signed | Promise<Signed>
  /** What was refused: looks anew, and answers whether that is something else than `refused`. */
  renew(refused: Signed, call: Call): Promise<boolean>
}
