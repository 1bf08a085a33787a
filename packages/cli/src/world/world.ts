/** Everything outside of a command that it may touch. Commands get it, so that tests can give another. */
import type { Client, TenantClient } from '@gantry/api'
import type { Clock } from '@gantry/core'
import type { Globals } from '../command/global-flags.ts'
import type { Style } from '../output/style.ts'

export interface Screen {
  /** Whether a person looks at it. */
  readonly isTerminal: boolean
  /** How wide it is now; 80 where nobody can tell. */
  readonly columns: number
  readonly rows: number
  /** As it is, and in order. Resolves when it may be given more. */
  write(text: string | Uint8Array): Promise<void>
  /** With colours where they are wanted and can be seen. */
  readonly style: Style
  /** Told when the size changes; answers how to stop that. */
  onResize(listener: () => void): () => void
}

export interface Keyboard {
  readonly isTerminal: boolean
  /** All of it, as text; for what comes through a pipe. */
  readAll(options: { signal: AbortSignal }): Promise<string>
  /** As it comes. */
  chunks(): AsyncIterable<Uint8Array>
  /** Every key as it is pressed, without echo, until the answer is called. */
  raw(): () => void
  /** One line from a person; with `hidden`, without echo. Refused where there is no terminal. */
  ask(question: string, options: { hidden?: boolean; signal: AbortSignal }): Promise<string>
}

export interface World {
  /** Results, and nothing else. */
  readonly out: Screen
  /** Progress, questions and faults. */
  readonly err: Screen
  readonly keys: Keyboard
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  readonly clock: Clock
  readonly globals: Globals
  /** Aborted by Ctrl-C: whoever waits stops waiting, and says what goes on without it. */
  readonly signal: AbortSignal
  /** Where the server is and who asks, decided from flags, environment and contexts file, in this order. */
  connection(): Promise<Connection>
  /** Made at the first call. */
  client(): Promise<Client>
  /** The tenant that this is about. */
  tenant(): Promise<TenantClient>
}

export type Connection = {
  readonly server: string
  readonly token: string | undefined
  readonly tenant: string
  /** Where the address was found, in words: "--server", "$GANTRY_SERVER", "context local of …/contexts.json". */
  readonly from: string
}
