/** Pure: what the record says of an object before and after it is applied. */

import type { KubeObject } from '../api/types/meta.ts'
import type { Wanted } from './apply.ts'
import { textAt } from './fields.ts'
import { dateOf } from './health/conditions.ts'
import { ownedHash } from './owned.ts'
import { type Entry, fieldManager } from './record/record.ts'

/** What was applied to another object than the one that is there now was not applied. */
export function entryOf(
  { at: { resource, namespace, name }, body }: Wanted,
  known: Entry | undefined,
  live: KubeObject | undefined,
  owner: Readonly<Record<string, string>>,
): Entry {
  const isOurs = Object.entries(owner).every(([key, value]) => live?.metadata.labels?.[key] === value)
  const isAdopted = known?.adopted ?? (live !== undefined && body.adopt && !isOurs)
  const uid = live?.metadata.uid
  const isSame = live !== undefined && known !== undefined && (isAdopted || known.uid === uid)
  return {
    resource,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined || isAdopted ? {} : { uid }),
    ...(isSame && known.applied !== undefined ? { applied: known.applied } : {}),
    ...(isSame && known.owned !== undefined ? { owned: known.owned } : {}),
    ...(isAdopted ? { adopted: true as const } : {}),
  }
}

export function entryAfter(entry: Entry, wanted: Wanted, before: KubeObject | undefined, now: KubeObject): Entry {
  const { applied: _, owned: __, ...rest } = entry
  const owned = ownedHash(now)
  const { uid } = now.metadata
  const isAdopted = entry.adopted ?? (before === undefined && wasMadeByOthers(now))
  return {
    ...rest,
    applied: wanted.body.hash,
    ...(uid === undefined || isAdopted ? {} : { uid }),
    ...(owned === undefined ? {} : { owned }),
    ...(isAdopted ? { adopted: true as const } : {}),
  }
}

/** Somebody made it between our look and our apply, and was the first to have fields in it: it is not ours to delete. */
function wasMadeByOthers({ metadata }: KubeObject): boolean {
  const times = (isOwn: boolean): number[] =>
    (metadata.managedFields ?? [])
      .filter(({ manager }) => (manager === fieldManager) === isOwn)
      .flatMap((each) => dateOf(textAt(each, 'time'))?.getTime() ?? [])
  const [own] = times(true)
  return own !== undefined && times(false).some((other) => other < own)
}
