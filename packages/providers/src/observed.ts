/** What was seen on an engine. Everything in here comes from looking, and says when. */
import type { Fault, FaultReason, ServiceRole } from '@gantry/core'
import type { Ref } from './ref.ts'

/**
 * What one service of one replica is doing. `completed` is an exit 0 that was meant to be; `crashed` is any other end
 * that nobody asked for, also while it waits to be started again; `stopped` is an end that we asked for.
 */
export type ServicePhase =
  | 'waiting'
  | 'pulling'
  | 'starting'
  | 'running'
  | 'stopping'
  | 'completed'
  | 'stopped'
  | 'crashed'

export type ServiceObserved = {
  readonly role: ServiceRole
  readonly phase: ServicePhase
  /** `undefined`: could not be told. */
  readonly ready: boolean | undefined
  readonly restarts: number
  readonly startedAt?: Date
  /** Of the last end. `unknown` when the end was missed, never 0 then. */
  readonly exitCode?: number | 'unknown'
  readonly message?: string
  /** The engine's own id of this container or process. */
  readonly engineId?: string
}

/** Where a port can be dialled from where we are. */
export type Endpoint = {
  readonly service: string
  readonly port: string
  readonly protocol: 'http' | 'tcp' | 'udp'
  /** Outlives the replica behind it. */
  readonly stable: boolean
  /** Reachable by others than this control plane and its edge. */
  readonly public: boolean
  readonly via: 'direct' | 'tunnel'
  /**
   * Of a stable one behind which replicas come and go: how old a connection may be that something new is sent over, so that
   * none outlives the time in which one that leaves still answers. Left out: as old as it gets.
   */
  readonly maxConnectionAgeMs?: number
  readonly dial: { readonly host: string; readonly port: number } | { readonly unix: string }
}

export type Replica = {
  /** What `logs` and `exec` are asked with; never used again for another replica. */
  readonly engineId: string
  /** The identity of a replica of a stateful_set; elsewhere only tells them apart, counted from the lowest that is free. */
  readonly index: number
  readonly release: string
  readonly specHash: string
  /** `undefined`: could not be told. */
  readonly ready: boolean | undefined
  /** Since when without a break; only where it is ready and that can be told. */
  readonly readySince?: Date
  readonly terminating: boolean
  /**
   * Will not come up by itself. `again`: a new one in its place may (an image may be had later, an init may succeed).
   * `final`: it has ended and is not to be restarted, until someone asks for something else.
   */
  readonly failed?: 'again' | 'final'
  readonly services: Readonly<Record<string, ServiceObserved>>
  readonly endpoints: readonly Endpoint[]
}

/** Why it will not get further without a change: shown to people, and the end of a blocking call. */
export type Stall = {
  readonly reason: FaultReason
  readonly message: string
  readonly at: Date
  readonly service?: string
  readonly replica?: number
}

export type Observed = {
  readonly ref: Ref
  readonly replicas: readonly Replica[]
  /** The stable ones, of the instance as a whole. */
  readonly endpoints: readonly Endpoint[]
  readonly stalled?: Stall
  /** Paths of the spec that someone else has changed on the engine. */
  readonly drift: readonly string[]
  /** Asked for, but not enforced here (`bestEffort`). */
  readonly notEnforced: readonly string[]
  readonly at: Date
}

/** Everything of our installation, whole; what is not in it is not there. */
export type Snapshot = { readonly type: 'snapshot'; readonly instances: readonly Observed[]; readonly at: Date }
export type Changed = { readonly type: 'changed'; readonly instance: Observed }
export type Gone = { readonly type: 'gone'; readonly ref: Ref; readonly at: Date }
/** From here on nothing is known, until the next snapshot. */
export type Blind = { readonly type: 'blind'; readonly fault: Fault; readonly at: Date }

export type Observation = Snapshot | Changed | Gone | Blind
