/** Pages of lists, and the changes of a watch. */
import type { KindName, ObjectOf } from '@gantry/core'
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

export function pageOf<Name extends KindName>(kind: Name): z.ZodType<ObjectPage<Name>> {
  return z.looseObject({
    items: z.array(objectOf(kind)),
    continue: continueField,
    resourceVersion: resourceVersion.describe('Watching from here misses nothing that the list did not show'),
  })
}

/** One thing that happened, in order and without a gap. */
export type ObjectChange<Name extends KindName> =
  /** The object as of this version: made, or changed. */
  | { readonly type: 'put'; readonly object: ObjectOf<Name>; readonly resourceVersion: number }
  /** Removed, or no longer selected by the labels. */
  | { readonly type: 'gone'; readonly object: ObjectOf<Name>; readonly resourceVersion: number }
  /** Everything up to this version was delivered; resume from here. */
  | { readonly type: 'bookmark'; readonly resourceVersion: number }

export function changeOf<Name extends KindName>(kind: Name): z.ZodType<ObjectChange<Name>> {
  const object = objectOf(kind)
  return z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('put'), object, resourceVersion }),
    z.looseObject({ type: z.literal('gone'), object, resourceVersion }),
    z.looseObject({ type: z.literal('bookmark'), resourceVersion }),
  ])
}
