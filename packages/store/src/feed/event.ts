/** One recorded change, as the many watchers of it see it. */
import type { GantryObject } from '@gantry/core'
import { type Labels, matches, type Selector } from '../list/selector.ts'
import type { ChangeRow } from '../plan/rows.ts'
import type { Change } from '../store.ts'

export type Filter = {
  readonly kind: string | undefined
  readonly tenant: string | undefined
  readonly selector: Selector
}

/** Parses its object once, and only if anybody wants it. */
export class FeedEvent {
  readonly row: ChangeRow
  #object: GantryObject | undefined
  #labelsBefore: Labels | undefined

  constructor(row: ChangeRow) {
    this.row = row
  }

  get object(): GantryObject {
    this.#object ??= this.row.json?.object ?? (JSON.parse(this.row.body) as GantryObject)
    return this.#object
  }

  get #before(): Labels {
    const { labelsBefore } = this.row
    if (labelsBefore === null) return this.object.metadata.labels
    this.#labelsBefore ??= JSON.parse(labelsBefore) as Labels
    return this.#labelsBefore
  }

  /** What this change is to someone who watches with `filter`; `undefined`: nothing. */
  seenBy({ kind, tenant, selector }: Filter): Change | undefined {
    const { row } = this
    if (kind !== undefined && kind !== row.kind) return undefined
    if (tenant !== undefined && tenant !== row.tenant) return undefined
    const isSelected = matches(selector, this.object.metadata.labels)
    if (!isSelected && (row.labelsBefore === null || !matches(selector, this.#before))) return undefined
    const type = isSelected ? row.type : 'gone'
    return { type, object: this.object, resourceVersion: row.version }
  }
}
