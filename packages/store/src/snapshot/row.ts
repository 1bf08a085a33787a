/** Everything a store is, in rows that belong to no database: what a backup holds, and what either database is restored from. */

export type SnapshotRow =
  /** The first one. */
  | { readonly type: 'head'; readonly version: number; readonly auditSequence: number; readonly auditHash: string }
  | {
      readonly type: 'object'
      readonly kind: string
      readonly tenant: string
      readonly name: string
      readonly uid: string
      readonly version: number
      /** The object, as JSON. */
      readonly body: string
      readonly usage: string | null
      /** When it became so (milliseconds since 1970). */
      readonly at: number
    }
  | { readonly type: 'usage'; readonly tenant: string; readonly counter: string; readonly used: string }
  /** Nobody holds it after a restore; but its epoch goes on, so that no fence is given twice. */
  | { readonly type: 'lease'; readonly name: string; readonly epoch: string }
  | {
      readonly type: 'audit'
      readonly sequence: number
      readonly tenant: string
      readonly content: string
      readonly hash: string
    }

export type HeadRow = Extract<SnapshotRow, { type: 'head' }>
