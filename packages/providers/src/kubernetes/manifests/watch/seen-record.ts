/** Pure: a record as it is kept while it is watched. */
import { isFault } from '@gantry/core'
import { apiVersionOf } from '../../api/resources.ts'
import { makesPods } from '../kinds.ts'
import { type RecordObject, recordIn } from '../record/content.ts'
import type { SetRecord } from '../record/record.ts'

export type SeenRecord = {
  readonly resourceVersion: string
  readonly record: SetRecord
  readonly engineId: string
  /** Where pods of the set may be. */
  readonly podNamespaces: ReadonlySet<string>
}

/** `undefined`: not ours, or beyond reading; a pass over that set will say so. */
export function seenRecord(raw: RecordObject, installation: string): SeenRecord | undefined {
  const record = readable(raw, installation)
  return (
    record && {
      resourceVersion: raw.metadata.resourceVersion ?? '',
      record,
      engineId: engineIdOf(raw),
      podNamespaces: podNamespacesOf(record),
    }
  )
}

export function podNamespacesOf({ entries }: SetRecord): ReadonlySet<string> {
  return new Set(
    entries.flatMap(({ resource, namespace = '' }) =>
      makesPods(apiVersionOf(resource), resource.kind) ? [namespace] : [],
    ),
  )
}

const prefix = 'manifests:'

/** Of the one replica of a set: its record, which is never the same one twice. */
export const engineIdOf = ({ metadata: { namespace = '', name, uid = '' } }: RecordObject): string =>
  `${prefix}${namespace}/${name}/${uid}`

export type RecordPlace = { readonly namespace: string; readonly name: string; readonly uid: string }

/** `undefined`: it is not that of a set. */
export function recordPlace(engineId: string): RecordPlace | undefined {
  if (!engineId.startsWith(prefix)) return undefined
  const [namespace, name, uid] = engineId.slice(prefix.length).split('/')
  return namespace && name && uid ? { namespace, name, uid } : undefined
}

function readable(raw: RecordObject, installation: string): SetRecord | undefined {
  try {
    return recordIn(raw, installation)
  } catch (error) {
    if (isFault(error) && error.reason === 'bad_answer') return undefined
    throw error
  }
}
