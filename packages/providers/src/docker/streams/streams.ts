/**
 * What is said into and out of one container, by the engine's id of it. What is thrown: `engine_object_not_found` where there
 * is none, `engine_unreachable` where the engine is lost meanwhile.
 */
import type { Call, Clock } from '@gantry/core'
import type { ExecRequest, ExecSession } from '../../exec.ts'
import type { EngineLog, LogFrom } from '../../log-line.ts'
import type { DockerApi } from '../api/api.ts'

/** Whether a container was made with a terminal: its output then has no frames, and one stream. */
export type LogShape = { readonly tty: boolean }

/**
 * Lines in the order in which the engine keeps them, each once. With `follow` it stays through restarts of the container,
 * and ends when the container is removed. Throws `capability_missing` where its log driver keeps nothing that can be read.
 */
export type ContainerLogs = (
  api: DockerApi,
  id: string,
  shape: LogShape,
  from: LogFrom,
  call: Call,
) => AsyncIterable<EngineLog>

/** Where a command differs from the container's own program. Left out: the container's own. */
export type ExecSettings = {
  /** Added to the container's own. */
  readonly env?: Readonly<Record<string, string>>
  readonly user?: string
  readonly workingDir?: string
  /** Left out: the system's. */
  readonly clock?: Clock
}

/**
 * Starts a command in a container that runs; throws `service_not_running` where it does not. A command that cannot be
 * started ends with 126 or 127, and the engine's words on stderr. An abort closes its input and output, and kills it with
 * all that it has started where its processes are seen on this machine; else it is left running. `exit` says which.
 */
export type ContainerExec = (
  api: DockerApi,
  id: string,
  request: ExecRequest,
  call: Call,
  settings?: ExecSettings,
) => Promise<ExecSession>
