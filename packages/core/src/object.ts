/** The envelope that every object of every kind comes in. */

export type ConditionStatus = 'True' | 'False' | 'Unknown'

/** `Ready`, `Progressing` and `Degraded` are on every kind; `Unknown` is for "we could not look". */
export type Condition = {
  readonly type: string
  readonly status: ConditionStatus
  readonly reason: string
  readonly message: string
  /** ISO time of the last change of status. */
  readonly since: string
}

export type OwnerRef = { readonly kind: string; readonly name: string; readonly uid: string }

export type Metadata = {
  readonly name: string
  /** Absent on kinds of system scope. */
  readonly tenant?: string
  readonly uid: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  /** Counts the changes of spec, from 1. */
  readonly generation: number
  /** The global change sequence at the last write of any part. */
  readonly resourceVersion: number
  readonly ownerRefs: readonly OwnerRef[]
  readonly finalizers: readonly string[]
  readonly createdAt: string
  readonly deletionRequestedAt?: string
}

export type Status = {
  readonly observedGeneration?: number | undefined
  readonly conditions?: readonly Condition[] | undefined
  readonly [field: string]: unknown
}

export type GantryObject<Spec = unknown, S extends Status = Status> = {
  readonly apiVersion: 'gantry/v1'
  readonly kind: string
  readonly metadata: Metadata
  readonly spec: Spec
  readonly status: S
}

/** Names one object: what queues, stores and logs carry. System-scoped kinds have no tenant. */
export type ObjectKey = { readonly kind: string; readonly tenant?: string; readonly name: string }
