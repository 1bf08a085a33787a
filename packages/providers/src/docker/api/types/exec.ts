/** Commands inside containers, in the engine's own words. */
export type CreateExec = {
  readonly Cmd: readonly string[]
  readonly AttachStdin: boolean
  readonly AttachStdout: boolean
  readonly AttachStderr: boolean
  readonly Tty: boolean
  /** Rows and columns; only where `capabilities.execConsoleSize` says so. */
  readonly ConsoleSize?: readonly [number, number]
  readonly Env?: readonly string[]
  readonly User?: string
  readonly WorkingDir?: string
}

export type Exec = {
  readonly ID: string
  readonly Running: boolean
  /** Null until it has ended. */
  readonly ExitCode: number | null
  /** Of the machine's, while it runs. */
  readonly Pid: number
  readonly ContainerID: string
}
