/** What the supervisor tells of a process. All of it was durable before it was told. */
import type { LimitName } from './process-spec.ts'

/**
 * `waiting`: to be started after its backoff, or once its secrets are given again; `ended`: by itself, and is not to be
 * started again; `failed`: so too, but it must not have ended, or ended too often; `stopped`: because we were asked to.
 * While `stopping`, something of its tree still lives.
 */
export type ProcessPhase = 'waiting' | 'running' | 'stopping' | 'stopped' | 'ended' | 'failed'

export type ProcessExit = {
  /** `unknown` when nobody was there to see it, never made up. A process that a signal ended has 128 + its number. */
  readonly code: number | 'unknown'
  readonly signal?: NodeJS.Signals
  readonly startedAt: Date
  /** When it was seen; of an end that was missed, when it was found out. */
  readonly at: Date
  /** True of an end that `stop`, `remove` or `shutdown` asked for. */
  readonly asked: boolean
}

/** What keeps it from running, apart from its own exits. */
export type ProcessProblem = {
  readonly reason:
    | 'program_missing'
    | 'program_forbidden'
    | 'folder_missing'
    | 'secrets_missing'
    | 'too_many_restarts'
    | 'not_started'
  /** A sentence for people: what, why, what to do. */
  readonly message: string
  readonly since: Date
}

export type ProcessSeen = {
  readonly id: string
  readonly labels: Readonly<Record<string, string>>
  readonly role: 'workload' | 'system'
  readonly phase: ProcessPhase
  /** Counts starts, from 1; 0 before the first. */
  readonly run: number
  /** Starts that nobody asked for: those after an end of its own. */
  readonly restarts: number
  /** Of the main process, while it lives. */
  readonly pid?: number
  /** Of this run, or of the last one. */
  readonly startedAt?: Date
  readonly lastExit?: ProcessExit
  /** When it is started next, while it waits for its backoff. */
  readonly nextStartAt?: Date
  readonly problem?: ProcessProblem
  /** Limits that were asked for but are not in force on this machine. */
  readonly notEnforced: readonly LimitName[]
}

/** The first word is a snapshot, whole: what is not in it is not there. */
export type ProcessEvent =
  | { readonly type: 'snapshot'; readonly processes: readonly ProcessSeen[] }
  | { readonly type: 'changed'; readonly process: ProcessSeen }
  | { readonly type: 'removed'; readonly id: string }

export type ProcessUsage = {
  readonly id: string
  readonly at: Date
  /** Of the whole tree in this run, in all. */
  readonly cpuMicros?: number
  /** Thousandths of one core: over the time since it was last asked, or since the start. */
  readonly cpuMillis?: number
  readonly memoryBytes?: number
  readonly memoryLimitBytes?: number
  readonly cpuLimitMillis?: number
  /** Processes of the tree. */
  readonly processes?: number
}

export type SupervisorInfo = {
  readonly version: string
  readonly pid: number
  readonly startedAt: Date
  /** How a tree is held together: by a control group of version 2 or 1, or only by a mark in its environment. */
  readonly tracking: 'cgroup2' | 'cgroup1' | 'marker'
  /** The limits that can be put in force here. */
  readonly enforces: readonly LimitName[]
  /** A folder of ours in memory, 0700; undefined where this machine has no such storage. */
  readonly memoryDir: string | undefined
  /** What is limited here and why, in sentences. */
  readonly limits: readonly string[]
  readonly memoryBytes: number
}
