/**
 * A whole list, by pages. A server says at the beginning of a page where the next one begins, so that one is asked for while
 * this one is still coming and being read: two are under way, never more.
 */
import { type Call, isFault } from '@gantry/core'
import type { Collection, Listed, Selection } from './api.ts'
import { collectionPath } from './paths.ts'
import { jsonOf } from './questions.ts'
import type { KubeObject, ListMeta } from './types/meta.ts'
import { withKind } from './watch-events.ts'
import { query, type Wire } from './wire.ts'

/** As many as kubectl takes at a time. */
export const usualPageSize = 500

export const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

type Page<T> = { readonly items: T[] | null; readonly metadata: ListMeta }

/** One page on its way. */
type Coming<T> = {
  readonly page: Promise<Page<T>>
  /** From now on the one behind it is asked for as soon as it is known. */
  lookAhead(): void
  /** The one behind it, if it was asked for. */
  next(): Coming<T> | undefined
}

export async function listAll<T extends KubeObject>(
  wire: Wire,
  of: Collection,
  which: Selection,
  pageSize: number,
  call: Call,
): Promise<Listed<T>> {
  let items: T[] = []
  let coming = begin(undefined, pageSize)
  for (let isFirst = true; ; isFirst = false) {
    coming.lookAhead()
    let page: Page<T>
    try {
      page = await coming.page
    } catch (error) {
      // The rest of this list is history already. All at once cannot expire in the middle.
      if (isFirst || !isFault(error) || error.reason !== 'version_expired') throw error
      items = []
      page = await begin(undefined, undefined).page
    }
    const found = page.items ?? []
    for (const item of found) withKind(item, of.resource)
    items = items.length === 0 ? found : items.concat(found)
    const { resourceVersion, continue: rest } = page.metadata
    if (!rest) return { items, metadata: { resourceVersion } }
    coming = coming.next() ?? begin(rest, pageSize)
  }

  function begin(from: string | undefined, limit: number | undefined): Coming<T> {
    const { labelSelector, fieldSelector, metadataOnly } = which
    const path = collectionPath(of) + query({ labelSelector, fieldSelector, limit, continue: from })
    let known: string | undefined
    let next: Coming<T> | undefined
    let mayLook = false
    const look = (): void => {
      if (!mayLook || known === undefined || next !== undefined) return
      next = begin(known, limit)
      // Told to who comes so far; who fails before does not ask for it.
      next.page.catch(() => undefined)
    }
    const onBegin = (bytes: Buffer): void => {
      known = continueIn(bytes)
      look()
    }
    const accept = metadataOnly ? { accept: partialList } : {}
    return {
      page: jsonOf<Page<T>>(wire, { method: 'GET', path, onBegin, ...accept }, call),
      next: () => next,
      lookAhead() {
        mayLook = true
        look()
      },
    }
  }
}

/** Where the next page begins, if the first words of this one say so: kinds of the server's own do, others say it last. */
export function continueIn(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1', 0, 2_048)
  const [, token] =
    /^\{"kind":"[^"]*","apiVersion":"[^"]*","metadata":\{[^{}]*"continue":"([A-Za-z0-9_-]+)"/.exec(text) ?? []
  return token
}
