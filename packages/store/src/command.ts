/** What can be written: lists of these, never callbacks, so that a transaction cannot wait for anything. */
import type { GantryObject, ObjectKey, OwnerRef, Status } from '@gantry/core'
import type { AuditDraft } from './audit/entry.ts'

/** The parts of an object that its writer decides; the rest of the envelope is the store's. */
export type Draft = {
  readonly key: ObjectKey
  readonly spec: unknown
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  /** Each owner must exist in the same tenant. Left out of a replace: stay as they are. */
  readonly ownerRefs?: readonly OwnerRef[]
  /** On create only, for who must know it beforehand; left out: the store makes one. */
  readonly uid?: string
  /** On create only. A finalizer belongs there before the first side effect. */
  readonly finalizers?: readonly string[]
  /** On create only; afterwards status has its own command. */
  readonly status?: Status
  /** What the object takes of its tenant's quota, by counter. Given back when it is gone, however that comes about. */
  readonly usage?: Readonly<Record<string, bigint>>
}

export type Command =
  /** Refused with `already_exists` if it does. */
  | { readonly op: 'create'; readonly draft: Draft }
  /** Sets spec, labels and annotations as a whole. `ifGeneration` is the user's If-Match. */
  | {
      readonly op: 'replace'
      readonly draft: Draft
      readonly ifGeneration?: number
      /** What to do when there is none: refuse with `object_not_found` (the default), or make it. */
      readonly ifAbsent?: 'refuse' | 'create'
    }
  /** Sets status as a whole, if the object is still at `ifVersion`. What differs only in its age is not written. */
  | { readonly op: 'status'; readonly key: ObjectKey; readonly status: Status; readonly ifVersion: number }
  /** Asks for deletion; gone at once when nothing holds it, else when its last finalizer is removed. */
  | { readonly op: 'delete'; readonly key: ObjectKey; readonly ifUid?: string; readonly ifGeneration?: number }
  | { readonly op: 'addFinalizer'; readonly key: ObjectKey; readonly finalizer: string; readonly ifUid?: string }
  | { readonly op: 'removeFinalizer'; readonly key: ObjectKey; readonly finalizer: string; readonly ifUid?: string }

/** Holds for the whole batch: it is checked in, or recorded by, the same transaction. */
export type WriteContext = {
  /** Who asked for what; the store adds what was really done. */
  readonly audit?: AuditDraft
  /** Refused with `stale_fence` unless this lease is still held in this epoch. */
  readonly fence?: { readonly lease: string; readonly epoch: bigint }
  /** Refused with `quota_exceeded` if the batch raises a tenant's usage above one of these. */
  readonly limits?: readonly UsageLimit[]
  /** Refused unless these are there afterwards, seen by the scope or not: `object_not_found`, `being_deleted`. */
  readonly requires?: readonly Required[]
  /** Refused with `tenant_not_empty` if a tenant still uses any of these afterwards. */
  readonly unused?: readonly { readonly tenant: string; readonly counters: readonly string[] }[]
}

export type Required = ObjectKey & {
  /** And its spec is still the one that was read: `generation_conflict` otherwise. */
  readonly generation?: number
}

export type UsageLimit = { readonly tenant: string; readonly counter: string; readonly limit: bigint }

export type Did = 'created' | 'configured' | 'unchanged' | 'deleting' | 'deleted'

/** What a command came to, with the object as it is stored now (or, once deleted, as it was last). */
export type CommandResult = {
  readonly did: Did
  readonly object: GantryObject
  /** What it is called and how far it has come: as in `object`, without the cost of parsing that. */
  readonly about: Pick<GantryObject, 'kind' | 'metadata'>
  /** The JSON of `object`, as it is stored. */
  readonly text: string
}

export type Written = {
  /** One for each command, in order. */
  readonly results: readonly CommandResult[]
  /** The change sequence after this batch. */
  readonly resourceVersion: number
}
