/** What a supervised process is. The supervisor knows processes and nothing else: no workloads, replicas or releases. */
import type { Secret } from '@gantry/core'

export const processPolicies = ['always', 'on_failure', 'never'] as const
export type ProcessPolicy = (typeof processPolicies)[number]

export type RestartRule = {
  readonly policy: ProcessPolicy
  /** More restarts than this within an hour and it is `failed`, until someone says `start` again. */
  readonly maxPerHour: number
  /** Left out: the supervisor's own figures (`restart-verdict.ts`). */
  readonly backoff?: {
    readonly firstMs: number
    readonly longestMs: number
    /** A run that lasted this long begins the backoff anew. */
    readonly stableMs: number
  }
}

/** What is not given is not limited. */
export type ProcessLimits = {
  /** Thousandths of one core. */
  readonly cpuMillis?: number
  readonly memoryBytes?: number
  readonly pids?: number
}

export type LimitName = keyof ProcessLimits

export type ProcessSpec = {
  /** Chosen by the caller, and never used again for something else: letters, digits, `.`, `_` and `-`, at most 128. */
  readonly id: string
  /** Whatever the caller finds its own by; not told to the process. */
  readonly labels: Readonly<Record<string, string>>
  /** `system` processes (the edge) are the last to be stopped by `shutdown`. */
  readonly role: 'workload' | 'system'
  /** The program and its arguments, never a shell string. A name without a slash is looked up in `env.PATH`. */
  readonly argv: readonly string[]
  /** Must exist: making folders is the caller's business. */
  readonly cwd: string
  /** The whole environment but for the marker GANTRY_PROCESS: nothing of the supervisor's own is inherited. */
  readonly env: Readonly<Record<string, string>>
  /** Joined to `env`. Kept in memory and memory-backed files only: no journal, no disk. */
  readonly secretEnv?: Readonly<Record<string, Secret>>
  /** Only where the supervisor is root. */
  readonly user?: { readonly uid: number; readonly gid: number }
  readonly restart: RestartRule
  /** How long the whole tree has to end after it was asked to, before it is killed. */
  readonly stopGraceMs: number
  /** Left out: SIGTERM. */
  readonly stopSignal?: NodeJS.Signals
  readonly limits?: ProcessLimits
  /** How many bytes of output are kept; the oldest go first, and a reader is told of the gap. Left out: 64 MiB. */
  readonly keepOutputBytes?: number
}
