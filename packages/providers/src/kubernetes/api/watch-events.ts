/** Pure: one line of a watch. */
import { Fault } from '@gantry/core'
import type { Resource, WatchEvent } from './api.ts'
import { faultOfStatus } from './faults.ts'
import { parsed } from './questions.ts'
import { apiVersionOf } from './resources.ts'
import type { KubeObject } from './types/meta.ts'
import type { Status } from './types/status.ts'

const types = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const

type Line = { readonly type: keyof typeof types | 'BOOKMARK' | 'ERROR'; readonly object: unknown }

/** Throws what an ERROR says: that a version is too old comes like this, in an answer that began well. */
export function readEvent<T extends KubeObject>(
  line: Buffer,
  resource: Resource,
  partial: boolean,
  as: string,
): WatchEvent<T> {
  const { type, object } = parsed<Line>(line)
  if (type === 'ERROR') throw faultOfStatus(object as Status, { as, detail: line.toString('utf8', 0, 2_000) })
  if (type === 'BOOKMARK') {
    return { type: 'bookmark', resourceVersion: (object as KubeObject).metadata.resourceVersion ?? '' }
  }
  const told = types[type]
  if (told === undefined) throw new Fault('bad_answer', `The Kubernetes API sent an event of type ${String(type)}`)
  return { type: told, object: partial ? withKind<T>(object as T, resource) : (object as T) }
}

/** What came as metadata only, or in a list, does not say its own kind. */
export function withKind<T extends KubeObject>(object: T, resource: Resource): T {
  const own = object as { apiVersion: string; kind: string }
  own.apiVersion = apiVersionOf(resource)
  own.kind = resource.kind
  return object
}
