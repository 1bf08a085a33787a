/** Pure: the record as the content of a ConfigMap, and back. Much of it is packed: a ConfigMap holds one MiB. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { Fault } from '@gantry/core'
import { label, ownerLabels, refFromLabels } from '../../../labels.ts'
import type { Resource } from '../../api/api.ts'
import type { KubeObject } from '../../api/types/meta.ts'
import { isFields, listAt, textAt } from '../fields.ts'
import { type Entry, type SetRecord, setKind, setLabel } from './record.ts'

export type RecordObject = KubeObject & {
  readonly data?: Readonly<Record<string, string>>
  readonly binaryData?: Readonly<Record<string, string>>
}

/** So large it is packed, in characters. */
const packedFrom = 32 * 1024
/** More objects than this are no one set: with uid and hashes they would not fit, even packed. */
export const mostObjects = 5000

const noted = { release: 'gantry.dev/release', specHash: label.specHash } as const

/** By kind, since most sets have many of few. */
type Packed = {
  readonly run: SetRecord['run']
  readonly applied: boolean
  readonly restart?: string
  readonly kinds: readonly { readonly resource: Resource; readonly objects: readonly PackedEntry[] }[]
}
type PackedEntry = Omit<Entry, 'resource'>

export function contentOf(name: string, record: SetRecord, installation: string): RecordObject {
  const { ref, namespace, release, specHash } = record
  const text = JSON.stringify(packed(record))
  const content =
    text.length < packedFrom
      ? { data: { set: text } }
      : { binaryData: { 'set.gz': gzipSync(Buffer.from(text)).toString('base64') } }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace,
      labels: { ...ownerLabels(installation, ref), [setLabel]: setKind },
      annotations: { [noted.release]: release, [noted.specHash]: specHash },
    },
    ...content,
  }
}

/** `undefined`: it is not of this installation, or no record of a set. */
export function recordIn(object: RecordObject, installation: string): SetRecord | undefined {
  const { labels = {}, annotations = {}, namespace = '' } = object.metadata
  const ref = refFromLabels(installation, labels)
  if (!ref || labels[setLabel] !== setKind) return undefined
  const zipped = object.binaryData?.['set.gz']
  const text = zipped === undefined ? object.data?.set : gunzipSync(Buffer.from(zipped, 'base64')).toString('utf8')
  const read = parsed(text, `${namespace}/${object.metadata.name}`)
  const restart = textAt(read, 'restart')
  return {
    ref,
    namespace,
    release: annotations[noted.release] ?? '',
    specHash: annotations[noted.specHash] ?? '',
    run: textAt(read, 'run') === 'stopped' ? 'stopped' : 'running',
    applied: isFields(read) && read.applied === true,
    ...(restart === undefined ? {} : { restart }),
    entries: listAt(read, 'kinds').flatMap((kind) => {
      const { resource, objects } = kind as Packed['kinds'][number]
      return objects.map((each): Entry => ({ resource, ...each }))
    }),
  }
}

function packed({ run, applied, restart, entries }: SetRecord): Packed {
  const kinds = new Map<string, { resource: Resource; objects: PackedEntry[] }>()
  for (const { resource, ...rest } of entries) {
    const key = `${resource.group}/${resource.version}/${resource.kind}`
    const kind = kinds.get(key)
    if (kind) kind.objects.push(rest)
    else kinds.set(key, { resource, objects: [rest] })
  }
  return { run, applied, ...(restart === undefined ? {} : { restart }), kinds: [...kinds.values()] }
}

/** Guessing what was in it could leave objects behind for ever. */
function parsed(text: string | undefined, name: string): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch (cause) {
    const message = `The record of a set, ConfigMap ${name}, cannot be read; bring it back as it was, or delete it and what carries its labels`
    throw new Fault('bad_answer', message, { cause })
  }
}
