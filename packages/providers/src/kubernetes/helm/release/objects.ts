/** The objects of revisions, as Helm wrote them down. Pure. */

import { textAt } from '../../manifests/fields.ts'
import { readSet } from '../../manifests/read/read-set.ts'
import { groupOf, type SetObject } from '../../manifests/set-object.ts'
import type { LeavingObject } from '../record.ts'
import type { KnownRevision } from './revisions.ts'

/** Helm's word for what it shall not remove. */
export const keepPolicy = 'helm.sh/resource-policy'
export const hookAnnotation = 'helm.sh/hook'
export const releaseAnnotation = 'meta.helm.sh/release-name'

export const objectsOf = ({ manifest }: Pick<KnownRevision, 'manifest'>): readonly SetObject[] =>
  readSet(manifest).objects

export const hookObjectsOf = ({ hooks }: Pick<KnownRevision, 'hooks'>): readonly SetObject[] =>
  hooks.flatMap(({ manifest }) => (manifest === undefined ? [] : readSet(manifest).objects))

export const isKept = ({ object }: SetObject): boolean =>
  textAt(object, 'metadata', 'annotations', keepPolicy) === 'keep'

/** All that may be left of a release when Helm has removed the objects of its newest revision. */
export const leavingOf = (history: readonly KnownRevision[]): readonly LeavingObject[] =>
  unique(history.flatMap((revision) => [...objectsOf(revision), ...hookObjectsOf(revision)]).map(leavingObject))

/** What revisions that failed have made and the newest has not: Helm compares only with the one that was deployed before. */
export function remnantsOf(history: readonly KnownRevision[]): readonly LeavingObject[] {
  const top = history.at(-1)
  if (!top) return []
  const lastGood = history.findLastIndex(({ status, revision }) => status === 'superseded' && revision !== top.revision)
  const failed = history.slice(lastGood + 1).filter(({ status }) => status === 'failed')
  return without(unique(failed.flatMap(objectsOf).map(leavingObject)), top)
}

/** Those that a revision does not have: what it has stays, whatever else had it before. */
export function without(objects: readonly LeavingObject[], revision: KnownRevision): readonly LeavingObject[] {
  const there = new Set([...objectsOf(revision), ...hookObjectsOf(revision)].map((one) => placeOf(leavingObject(one))))
  return objects.filter((one) => !there.has(placeOf(one)))
}

/** Whatever version of its kind it was written in, and whether its namespace was said or not. */
const placeOf = ({ apiVersion, kind, name }: LeavingObject): string => JSON.stringify([groupOf(apiVersion), kind, name])

const leavingObject = ({ apiVersion, kind, namespace, name }: SetObject): LeavingObject => ({
  apiVersion,
  kind,
  ...(namespace !== undefined && { namespace }),
  name,
})

const keyOf = ({ apiVersion, kind, namespace, name }: LeavingObject): string =>
  JSON.stringify([apiVersion, kind, namespace ?? '', name])

export const unique = (objects: readonly LeavingObject[]): readonly LeavingObject[] => [
  ...new Map(objects.map((one) => [keyOf(one), one])).values(),
]
