/** What is to be routed, as it lies in the store and was last seen on engines: all that a table is made from. */
import type { EndpointStatus, ObjectOf } from '@gantry/core'
import type { Slot } from '@gantry/providers'
import type { RoutedRollout, RoutedWorkload } from './routed-objects.ts'

/** A replica as far as requests are concerned. */
export type RoutedReplica = {
  readonly engineId: string
  /** `undefined`: could not be told. */
  readonly ready: boolean | undefined
  readonly terminating: boolean
  readonly endpoints: readonly EndpointStatus[]
}

/** One slot: the freshest that is known of it, and how it was before where nobody can look. */
export type RoutedInstance = {
  readonly tenant: string
  readonly uid: string
  readonly slot: Slot
  readonly replicas: readonly RoutedReplica[]
  /** Stable ones, of the instance as a whole. */
  readonly endpoints: readonly EndpointStatus[]
}

export type Wishes = {
  readonly workloads: readonly RoutedWorkload[]
  readonly rollouts: readonly RoutedRollout[]
  readonly instances: readonly RoutedInstance[]
  readonly routes: readonly ObjectOf<'Route'>[]
  /** Replicas that are to get nothing new, by engine id. */
  readonly leaving: ReadonlySet<string>
  /** Backends that got requests by the table before: of those, what cannot be told stays. */
  readonly inRotation: ReadonlySet<string>
  readonly trusted: readonly string[]
}
