/** Running a command inside a service that runs. */

export type TerminalSize = { readonly rows: number; readonly columns: number }

export type ExecRequest = {
  /** Never a shell string. */
  readonly argv: readonly string[]
  /** Without it the command reads end of file at once. */
  readonly stdin?: boolean
  /** With a terminal there is one stream: everything comes on stdout. */
  readonly tty?: TerminalSize
}

/** How a command ended. After an abort it says whether the process was killed or is still there. */
export type ExecExit =
  | { readonly ended: 'exited'; readonly exitCode: number }
  | { readonly ended: 'killed' }
  | { readonly ended: 'left_running' }

export interface ExecSession {
  /** Ends when the command has closed it; each stream is to be read once. */
  readonly stdout: AsyncIterable<Uint8Array>
  readonly stderr: AsyncIterable<Uint8Array>
  /** Settles when the engine took the bytes, so a writer feels a slow reader. */
  write(bytes: Uint8Array): Promise<void>
  /** Closes stdin: the command reads end of file. */
  end(): Promise<void>
  /** Refused with `capability_missing` on a session without a terminal. */
  resize(size: TerminalSize): Promise<void>
  /** The command's own exit code, never made up. Rejects only if the engine was lost meanwhile. */
  readonly exit: Promise<ExecExit>
}
