/** A watch, over the wire. */
import type { Call } from '@gantry/core'
import type { Collection, Selection, WatchEvent } from './api.ts'
import { unreachable } from './faults.ts'
import type { ObjectsOptions } from './objects.ts'
import { collectionPath } from './paths.ts'
import type { KubeObject } from './types/meta.ts'
import { readEvent } from './watch-events.ts'
import { WatchStream } from './watch-stream.ts'
import { query, type Wire } from './wire.ts'

const partialEvents = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'

export async function watchCollection<T extends KubeObject>(
  wire: Wire,
  of: Collection,
  from: Selection & { readonly resourceVersion: string },
  { clock, as, silenceMs }: ObjectsOptions,
  call: Call,
): Promise<AsyncIterable<WatchEvent<T>>> {
  const { labelSelector, fieldSelector, metadataOnly = false, resourceVersion } = from
  const asked = { labelSelector, fieldSelector, resourceVersion, watch: true, allowWatchBookmarks: true }
  const path = collectionPath(of) + query(asked)
  const body = await wire.open({ method: 'GET', path, ...(metadataOnly && { accept: partialEvents }) }, call)
  const broken = (cause: unknown): Error => unreachable(wire.server, path, cause)
  return new WatchStream(
    { body, clock, silenceMs, broken },
    (line) => readEvent<T>(line, of.resource, metadataOnly, as),
    call,
  )
}
