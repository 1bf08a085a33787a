/** Everything that a rollout is decided from, beside its own spec and status: what was seen, and nothing that was guessed. */
import type { InstanceSlot, WorkloadType } from '@gantry/core'

/** A process of the release that ended although nobody asked it to. */
export type Exit = {
  readonly service: string
  readonly replica: number
  readonly engineId: string
  readonly exitCode?: number | 'unknown' | undefined
  readonly message?: string | undefined
  /** When what runs there now, or ran last, was started; `undefined`: it never was. */
  readonly startedAt?: number | undefined
}

export type Stalled = {
  readonly reason: string
  readonly message: string
  readonly service?: string | undefined
  readonly replica?: number | undefined
}

/** One slot, as its Instance says. A slot without an Instance is `undefined`. */
export type SlotFacts = {
  readonly slot: InstanceSlot
  /** Of the Instance: counts the changes of its spec. */
  readonly generation: number
  readonly provider: string
  readonly type: WorkloadType
  readonly release: number
  readonly restartStamp: string | undefined
  readonly paused: boolean
  /** How many replicas are to run: none while stopped. */
  readonly wanted: number
  readonly deleting: boolean
  /** What is said below is about the spec as it is. */
  readonly current: boolean
  /** The engine says that all is as asked for, for `minReadySeconds`. */
  readonly settled: boolean
  /** Replicas of any release that are ready and stay. `undefined`: some were, and nobody can look now. */
  readonly ready: number | undefined
  /** Replicas made of what the spec says, and how many of those are ready; all others. */
  readonly updated: number
  readonly updatedReady: number
  readonly others: number
  /** What replicas may take beside the progress deadline: to stay ready, and to end. */
  readonly allowanceMs: number
  readonly blind?: { readonly reason: string; readonly message: string; readonly since: string } | undefined
  readonly stalled?: Stalled | undefined
  readonly exits: readonly Exit[]
  /** Which replica fails which service with what, in a sentence. */
  readonly trouble?: string | undefined
  readonly waitingFor?: string | undefined
}

export type Slots = Readonly<Partial<Record<InstanceSlot, SlotFacts>>>

export type Figures = { readonly requests: number; readonly errors: number }

export type TrafficFacts = {
  /** Whether the weights in the status are what the edge does by now; true where no edge is in the way. */
  readonly acknowledged: boolean
  /** The same of the engine, where a workload has an address there that no edge stands before; left out: it has none. */
  readonly engine?: { readonly acknowledged: boolean; readonly why?: string | undefined } | undefined
  /** By slot, since the present step began; `undefined` where nobody counts. */
  readonly figures?: Readonly<Record<InstanceSlot, Figures>> | undefined
}

/** The rollout before this one. */
export type OlderFacts = {
  readonly name: string
  readonly ended: boolean
  readonly weights?: Readonly<Record<InstanceSlot, number>> | undefined
  readonly stable?: InstanceSlot | undefined
}

export type RolloutFacts = {
  readonly slots: Slots
  /** How many replicas the workload wants to run now: none while stopped. */
  readonly wanted: number
  /** Which slot the workload trusted before any rollout could say. */
  readonly stable?: InstanceSlot | undefined
  readonly traffic: TrafficFacts
  readonly older?: OlderFacts | undefined
  /** There is a newer one. */
  readonly superseded: boolean
  /** The workload is being deleted, and its instances with it. */
  readonly leaving: boolean
}
