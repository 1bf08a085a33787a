/** The rows that a batch reads and writes: what planning and the databases say to each other. */
import type { GantryObject } from '@gantry/core'
import type { StoredJson } from '../stored-json.ts'

/** A key as the tables have it: system scope is the tenant ''. */
export type RowKey = { readonly kind: string; readonly tenant: string; readonly name: string }

/** No part of a key holds a line break, so this names exactly one. */
export const idOf = (key: RowKey): string => `${key.kind}\n${key.tenant}\n${key.name}`

export type Usage = Readonly<Record<string, bigint>>

export type Stored = { readonly key: RowKey; readonly object: GantryObject; readonly usage: Usage }

/** How far the sequences of changes and audit have come. */
export type Head = {
  readonly version: number
  /** Changes up to here are no longer told to anybody. */
  readonly compacted: number
  readonly auditSequence: number
  readonly auditHash: string
}

/** What a plan must know before it can say anything. */
export type Needs = {
  readonly objects: readonly RowKey[]
  /** Uids whose children are wanted. */
  readonly children: readonly string[]
  /** Tenants whose counters are wanted. */
  readonly usage: readonly string[]
  readonly lease?: string
}

/** What was found. Something asked for that is not in here was looked for and is absent. */
export type Known = {
  readonly objects: Map<string, Stored | undefined>
  readonly children: Map<string, readonly RowKey[]>
  readonly usage: Map<string, Map<string, bigint>>
  lease?: { readonly holder: string; readonly epoch: bigint } | undefined
}

/** Where an object stands. What it is, is in the change that brought it there: every body is stored once. */
export type ObjectRow = RowKey & { readonly uid: string; readonly version: number; readonly usage: string | null }

export type ChangeRow = RowKey & {
  readonly version: number
  readonly type: 'put' | 'gone'
  readonly body: string
  /** The same, shared with whoever reads the object, by a database that keeps what it wrote. */
  json?: StoredJson
  /** The labels before, as JSON, where this change altered them: who watches by label must learn that it left. */
  readonly labelsBefore: string | null
  readonly at: number
}

export type MarkRow = RowKey & { readonly mark: string }
export type OwnerRow = RowKey & { readonly owner: string }
export type UsageRow = { readonly tenant: string; readonly counter: string; readonly used: bigint }
export type AuditRow = {
  readonly sequence: number
  readonly tenant: string
  readonly content: string
  readonly hash: string
}

/** The net effect of a batch: every object, mark, owner and counter at most once, so their order does not matter. */
export type Rows = {
  readonly puts: readonly ObjectRow[]
  readonly drops: readonly RowKey[]
  readonly marksAdded: readonly MarkRow[]
  readonly marksDropped: readonly MarkRow[]
  readonly ownersAdded: readonly OwnerRow[]
  readonly ownersDropped: readonly OwnerRow[]
  readonly usage: readonly UsageRow[]
  readonly changes: readonly ChangeRow[]
  /** Versions that were compacted, and are now not even the current one of an object: nobody needs them any more. */
  readonly forgotten: readonly number[]
  readonly audit: readonly AuditRow[]
}
