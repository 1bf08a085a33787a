/** A whole list, by pages. */
import { type Call, isFault } from '@gantry/core'
import type { Collection, Listed, Selection } from './api.ts'
import { collectionPath } from './paths.ts'
import { jsonOf } from './questions.ts'
import type { KubeObject, ListMeta } from './types/meta.ts'
import { withKind } from './watch-events.ts'
import { query, type Wire } from './wire.ts'

/** How many are asked for at a time. More pages cost more than larger ones; without any, a large cluster answers too late. */
export const usualPageSize = 2_000

export const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

type Page<T> = { readonly items: T[] | null; readonly metadata: ListMeta }

export async function listAll<T extends KubeObject>(
  wire: Wire,
  of: Collection,
  which: Selection,
  pageSize: number,
  call: Call,
): Promise<Listed<T>> {
  const { labelSelector, fieldSelector, metadataOnly } = which
  const path = collectionPath(of)
  let items: T[] = []
  let next: string | undefined
  let limit: number | undefined = pageSize
  for (;;) {
    const asked = path + query({ labelSelector, fieldSelector, limit, continue: next })
    let page: Page<T>
    try {
      page = await jsonOf(wire, { method: 'GET', path: asked, ...(metadataOnly && { accept: partialList }) }, call)
    } catch (error) {
      // The rest of this list is history already. All at once cannot expire in the middle.
      if (next === undefined || !isFault(error) || error.reason !== 'version_expired') throw error
      items = []
      next = undefined
      limit = undefined
      continue
    }
    const { metadata } = page
    const found = page.items ?? []
    for (const item of found) withKind(item, of.resource)
    items = items.length === 0 ? found : items.concat(found)
    next = metadata.continue || undefined
    if (next === undefined) return { items, metadata: { resourceVersion: metadata.resourceVersion } }
  }
}
