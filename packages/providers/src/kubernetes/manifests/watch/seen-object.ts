/** Pure: what is kept of an object that is watched: enough to tell its health, and no more. */
import type { KubeObject } from '../../api/types/meta.ts'
import { at, type Fields, isFields, listAt } from '../fields.ts'
import { selectedNode } from '../health/claims.ts'
import { ownedHash } from '../owned.ts'

export type SeenObject = {
  readonly resourceVersion: string
  readonly object: KubeObject
  readonly owned: string | undefined
  /** Of an object of a chart. */
  readonly changed?: SeenChange
}

/** `of`: the hash of what it was compared with. `paths`: left out where a look at the whole of it has to tell. */
export type SeenChange = { readonly of: string; readonly paths?: readonly string[] }

/** Large, and nothing about health. */
const dropped = new Set(['template', 'jobTemplate', 'versions', 'volumeClaimTemplates', 'rules', 'webhooks', 'data'])

export function seenObject(raw: KubeObject): SeenObject {
  const { apiVersion, kind, metadata } = raw
  const { managedFields: _, annotations, ...meta } = metadata
  const node = annotations?.[selectedNode]
  const spec = at(raw, 'spec')
  const status = at(raw, 'status')
  const object = {
    apiVersion,
    kind,
    metadata: node === undefined ? meta : { ...meta, annotations: { [selectedNode]: node } },
    ...(isFields(spec) ? { spec: without(spec, dropped) } : {}),
    ...(isFields(status) ? { status } : {}),
  }
  return { resourceVersion: metadata.resourceVersion ?? '', object, owned: ownedHash(raw) }
}

const podSpec = ['restartPolicy', 'nodeName'] as const
const podStatus = [
  'phase',
  'reason',
  'message',
  'startTime',
  'nominatedNodeName',
  'conditions',
  'containerStatuses',
  'initContainerStatuses',
] as const

export function seenPod(raw: KubeObject): SeenObject {
  const { apiVersion, kind, metadata } = raw
  const { name, namespace, uid, labels, ownerReferences, creationTimestamp, deletionTimestamp } = metadata
  const meta = { name, namespace, uid, labels, ownerReferences, creationTimestamp, deletionTimestamp }
  const names = (list: string): unknown[] =>
    listAt(raw, 'spec', list).map((each) => ({ name: at(each, 'name'), restartPolicy: at(each, 'restartPolicy') }))
  const object = {
    apiVersion,
    kind,
    metadata: meta as KubeObject['metadata'],
    spec: {
      ...picked(at(raw, 'spec'), podSpec),
      containers: names('containers'),
      initContainers: names('initContainers'),
    },
    status: picked(at(raw, 'status'), podStatus),
  }
  return { resourceVersion: metadata.resourceVersion ?? '', object, owned: undefined }
}

export function seenClass(raw: KubeObject): SeenObject {
  const { apiVersion, kind, metadata } = raw
  const { name, uid } = metadata
  const object = {
    ...picked(raw, ['volumeBindingMode']),
    apiVersion,
    kind,
    metadata: { name, uid } as KubeObject['metadata'],
  }
  return { resourceVersion: metadata.resourceVersion ?? '', object, owned: undefined }
}

const eventFields = ['involvedObject', 'message', 'series', 'lastTimestamp', 'eventTime'] as const

export function seenEvent(raw: KubeObject): SeenObject {
  const { apiVersion, kind, metadata } = raw
  const { name, namespace, uid, creationTimestamp } = metadata
  const meta = { name, namespace, uid, creationTimestamp } as KubeObject['metadata']
  const object = { ...picked(raw, eventFields), apiVersion, kind, metadata: meta }
  return { resourceVersion: metadata.resourceVersion ?? '', object, owned: undefined }
}

function picked(fields: unknown, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (at(fields, name) === undefined ? [] : [[name, at(fields, name)]])))
}

function without(fields: Fields, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}
