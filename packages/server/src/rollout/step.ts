/** What comes out of deciding: instances to be written, and the status that goes with them, in one transaction. */
import type { InstanceSlot, RolloutSpec, RolloutStatus } from '@gantry/core'
import type { RolloutFacts } from './facts.ts'

/** Everything is written over exactly what the decision was made from, or not at all. */
export type Deed =
  /** The slot is to run this: made if it is not there. */
  | {
      readonly do: 'put'
      readonly slot: InstanceSlot
      readonly release: number
      readonly restartStamp: string | undefined
      readonly paused: boolean
    }
  /** The slot is to go. Its instance is looked after until it is gone; nobody waits for that. */
  | { readonly do: 'remove'; readonly slot: InstanceSlot }

export type Step = {
  readonly deeds: readonly Deed[]
  readonly status: RolloutStatus
  /** When to decide again although nothing was seen to change. Left out: then not at all. */
  readonly afterMs?: number
}

/** What a decision is made from. */
export type Scene = {
  readonly spec: RolloutSpec
  readonly status: RolloutStatus
  readonly facts: RolloutFacts
  readonly now: number
}
