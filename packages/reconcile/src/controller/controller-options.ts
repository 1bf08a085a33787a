/** What a controller is made of. */
import type { Clock, Fault, GantryObject, ObjectKey } from '@gantry/core'
import type { Ownership } from '../leases/ownership.ts'
import type { Result } from '../results/result.ts'
import type { Feeds } from './feeds.ts'
import type { Reconcile } from './reconcile.ts'
import type { RetryPolicy } from './retry-policy.ts'
import type { Source } from './source.ts'

export type WatchedSource = {
  readonly source: Source
  /** What counts as a change; left out: spec, labels and readiness. */
  readonly revision?: (object: GantryObject) => string | number
}

export type ControllerOptions = {
  /** For messages. */
  readonly name: string
  /** The kind it makes true. */
  readonly kind: string
  readonly source: Source
  /** Shared with other controllers, so that each source is followed once; left out: its own. */
  readonly feeds?: Feeds
  readonly reconcile: Reconcile
  readonly clock: Clock
  /** From 0 up to 1: jitter. */
  readonly random: () => number
  /** What counts as a change of an object itself; left out: spec, labels, annotations, deletion. Never its status. */
  readonly revision?: (object: GantryObject) => string | number
  /** Children: any change of one brings back its owner of this controller's kind. */
  readonly owned?: readonly Source[]
  /** What results may refer to: a change of one brings back whoever referred to it, with its delays forgotten. */
  readonly watched?: readonly WatchedSource[]
  readonly ownership?: Ownership
  readonly workers?: number
  readonly policy?: Partial<RetryPolicy>
  /** How long one run may take before its signal ends. */
  readonly runDeadlineMs?: number
  /** How long after that a run that does not stop keeps its worker. Its key stays its own, however long it takes. */
  readonly overdueGraceMs?: number
  /** Everything is looked at this often, spread over the interval, with low priority. */
  readonly resyncMs?: number
  /** After each run; what was thrown is here as a result. */
  readonly onResult?: (key: ObjectKey, result: Result) => void
  /** What no key can show: a source that cannot be read, a run that does not stop. */
  readonly onTrouble?: (fault: Fault) => void
}

type Defaults = Required<
  Pick<ControllerOptions, 'workers' | 'runDeadlineMs' | 'overdueGraceMs' | 'resyncMs' | 'onResult' | 'onTrouble'>
>

export type ControllerSettings = ControllerOptions & Defaults

export const controllerDefaults: Defaults = {
  workers: 8,
  runDeadlineMs: 60_000,
  overdueGraceMs: 5_000,
  resyncMs: 600_000,
  onResult: () => undefined,
  onTrouble: () => undefined,
}
