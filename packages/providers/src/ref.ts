/** What the provider contract is keyed by: one slot of one workload. */

/** Rolling and recreate change the release of a slot in place; blue-green and canary fill the other one. */
export type Slot = 'a' | 'b'

/** Engine names derive from `uid` and `slot`, never from the release; tenant and workload are for people who look. */
export type Ref = {
  readonly tenant: string
  readonly workload: string
  readonly uid: string
  readonly slot: Slot
}

/** A workload as a whole: both of its slots. */
export type WorkloadRef = Omit<Ref, 'slot'>

/** Percent of what is asked of a workload, by slot; they sum to 100. */
export type TrafficWeights = Readonly<Record<Slot, number>>

/** One string per instance, for maps. */
export const refKey = (ref: Ref): string => `${ref.uid}/${ref.slot}`

/** As an instance is called in a message. */
export const refName = (ref: Ref): string => `${ref.tenant}/${ref.workload} (slot ${ref.slot})`
