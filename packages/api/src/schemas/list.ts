/** Pages of lists, and the changes of a watch. */
import { type KindName, kinds, type ObjectOf } from '@gantry/core'
import { z } from 'zod'
import { objectOf } from './object.ts'

const resourceVersion = z.int().min(0)

/** Absent on the last page. */
export const continueField = z.string().optional().describe('Ask with this for the next page; absent on the last')

export type ObjectPage<Name extends KindName> = {
  readonly items: readonly ObjectOf<Name>[]
  readonly continue?: string | undefined
  readonly resourceVersion: number
}

/** One schema per kind, as of the objects. */
const pages = perKind((kind) =>
  z.looseObject({
    items: z.array(objectOf(kind)),
    continue: continueField,
    resourceVersion: resourceVersion.describe('Watching from here misses nothing that the list did not show'),
  }),
)

export function pageOf<Name extends KindName>(kind: Name): z.ZodType<ObjectPage<Name>> {
  return pages[kind] as unknown as z.ZodType<ObjectPage<Name>>
}

/** One thing that happened, in order and without a gap. */
export type ObjectChange<Name extends KindName> =
  /** The object as of this version: made, or changed. */
  | { readonly type: 'put'; readonly object: ObjectOf<Name>; readonly resourceVersion: number }
  /** Removed, or no longer selected by the labels. */
  | { readonly type: 'gone'; readonly object: ObjectOf<Name>; readonly resourceVersion: number }
  /** Everything up to this version was delivered; resume from here. */
  | { readonly type: 'bookmark'; readonly resourceVersion: number }

const changes = perKind((kind) =>
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('put'), object: objectOf(kind), resourceVersion }),
    z.looseObject({ type: z.literal('gone'), object: objectOf(kind), resourceVersion }),
    z.looseObject({ type: z.literal('bookmark'), resourceVersion }),
  ]),
)

export function changeOf<Name extends KindName>(kind: Name): z.ZodType<ObjectChange<Name>> {
  return changes[kind] as unknown as z.ZodType<ObjectChange<Name>>
}

function perKind<Schema>(make: (kind: KindName) => Schema): Record<KindName, Schema> {
  const names = Object.keys(kinds) as KindName[]
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<KindName, Schema>
}
