/** Where a controller learns which objects there are: a store's list and change feed, bound to one kind. */
import type { Call, GantryObject } from '@gantry/core'

export type SourcePage = {
  readonly items: readonly GantryObject[]
  /** Absent on the last page. */
  readonly continue?: string
  /** Of the first page: following the changes from here misses nothing that the list did not show. */
  readonly resourceVersion: number
}

export type SourceChange =
  | { readonly type: 'put' | 'gone'; readonly object: GantryObject; readonly resourceVersion: number }
  | { readonly type: 'bookmark'; readonly resourceVersion: number }

/** A store satisfies this with two closures over its scope and the kind. */
export interface Source {
  list(query: { readonly limit: number; readonly continue?: string }, call: Call): Promise<SourcePage>
  /** In order and without a gap; a fault of kind `expired` if `since` is no longer known. */
  changes(since: number, call: Call): AsyncIterable<SourceChange>
}
