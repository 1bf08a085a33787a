/**
 * The parent of all local processes: one per data folder, detached, so that it and what it looks after outlive the server.
 *
 * For every method: it stops on `call.signal` and rethrows the caller's reason; a supervisor that cannot be reached is a
 * fault of kind `unavailable` (`engine_unreachable`), never an empty answer. All of them may be asked again at any time,
 * also after a crash in the middle: what is already so is not done twice. An id that is not there is `instance_not_found`
 * where nothing else is said.
 */
import type { Call } from '@gantry/core'
import type { ExecRequest, ExecSession } from '../../exec.ts'
import type { EngineLog, LogFrom } from '../../log-line.ts'
import type { ProcessEvent, ProcessSeen, ProcessUsage, SupervisorInfo } from './process-seen.ts'
import type { ProcessSpec } from './process-spec.ts'

export type StopOptions = {
  /** Left out: the grace of its spec. */
  readonly graceMs?: number
}

export type SupervisedExec = ExecRequest & {
  /** Added to the environment that the process itself was given. */
  readonly env?: Readonly<Record<string, string>>
}

export interface Supervisor {
  info(call: Call): Promise<SupervisorInfo>

  /**
   * Makes the process known and starts it. Answers once it was started (or could not be, and why), and that is durable.
   * Known already with the same spec: is told as it is, and secrets that were missing are taken; it is not started again
   * if it was stopped or has ended. With another spec: refused (`already_exists`): a changed process is another process.
   */
  ensure(spec: ProcessSpec, call: Call): Promise<ProcessSeen>

  /**
   * Several as with `ensure`, each only after the one before it was started; ends at the first that could not be. Answers
   * how far it came, once all of that is durable.
   */
  ensureInOrder(specs: readonly ProcessSpec[], call: Call): Promise<readonly ProcessSeen[]>

  /** Something is about to be started: what takes its time for that, and can be done before, is begun. Answers at once. */
  prepare(call: Call): Promise<void>

  /** Starts it anew if it does not run, and forgets its earlier restarts and backoff. */
  start(id: string, call: Call): Promise<ProcessSeen>

  /**
   * Asks the main process to end, then what is left of its tree, and kills all of it when the grace is over, children in
   * sessions of their own included. Answers at once, with `stopping` if something still lives; `stopped` means looked and
   * nothing there. It stays stopped, also over a restart of the supervisor. Asked again with a shorter grace, that holds.
   */
  stop(id: string, options: StopOptions, call: Call): Promise<ProcessSeen>

  /** Forgets a process of which nothing lives, with its output. Living: `illegal_transition`. Not there: fine. */
  remove(id: string, call: Call): Promise<void>

  /** `undefined`: looked, and not known. */
  look(id: string, call: Call): Promise<ProcessSeen | undefined>

  /** All whose labels include these. */
  list(labels: Readonly<Record<string, string>>, call: Call): Promise<readonly ProcessSeen[]>

  /** A snapshot, then every change. Throws when the supervisor is lost; otherwise ends by the signal only. */
  watch(call: Call): AsyncIterable<ProcessEvent>

  /**
   * Lines of both streams, in the order they were read, each once, with cursors that hold over restarts of everybody.
   * Without `follow` it ends at what is there; with it, once the process is removed. Read from the files themselves, so
   * what is there can be read while the supervisor is away.
   */
  output(id: string, from: LogFrom, call: Call): AsyncIterable<EngineLog>

  /**
   * Runs a command in the folder and environment of a process that runs, as its user and within its limits; else
   * `service_not_running`. Ended whole by the abort, and by the loss of either side.
   */
  exec(id: string, request: SupervisedExec, call: Call): Promise<ExecSession>

  /** Of those that run now; the others are left out. Without ids: of all. */
  usage(ids: readonly string[] | undefined, call: Call): Promise<readonly ProcessUsage[]>

  /**
   * Ends the supervisor. `stop`: after all processes, those of role `system` last, and they stay stopped. `keep`: they go
   * on running, and the next supervisor adopts them. Answers when it is gone.
   */
  shutdown(options: { readonly processes: 'stop' | 'keep' }, call: Call): Promise<void>
}
