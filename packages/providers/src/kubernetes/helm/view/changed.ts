/**
 * Pure: what somebody else has changed of an object that a chart has. What differs from the chart is not enough to tell: a server
 * writes values in its own way, leaves out what it does not know, and is helped by webhooks. All of that is done as Helm, who is
 * on record for it; whoever comes later is on record for what he has changed, and then Helm no more.
 */
import type { KubeObject, ManagedFields } from '../../api/types/meta.ts'
import { changedPlaces, isKeyedList, type Place, valueAt } from '../../drift.ts'
import { type Fields, isFields } from '../../manifests/fields.ts'
import type { SetObject } from '../../manifests/set-object.ts'
import { ownsPlace } from './owned-place.ts'

/** Helm calls itself so, whatever its program is called. */
const helmManager = 'helm'

/** Parts of the cluster: an autoscaler of replicas does what the chart asked for. */
const parts: ReadonlySet<string> = new Set([
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'cloud-controller-manager',
  'kubelet',
])

/** Paths in the object, each once; never a value. */
export function changedFields({ object: written }: SetObject, live: KubeObject): readonly string[] {
  const { managedFields = [] } = live.metadata
  const others = managedFields.filter(isOther)
  const own = managedFields.filter(isHelm)
  const places = changedPlaces(comparable(written), live).filter((place) => {
    if (own.some(({ fieldsV1 }) => ownsPlace(fieldsV1, place))) return false
    return others.some(({ fieldsV1 }) => ownsPlace(fieldsV1, place)) || isRemoved(live, place)
  })
  return [...new Set(places.map(pathOf))]
}

/**
 * Where nothing but its metadata is known: whether a look at the whole of it may find something. Helm is on record for all that
 * it wrote and nobody has touched.
 */
export function mayBeChanged({ object: written }: SetObject, { metadata }: Pick<KubeObject, 'metadata'>): boolean {
  const own = (metadata.managedFields ?? []).filter(isHelm)
  return leavesOf(comparable(written), []).some((place) => !own.some(({ fieldsV1 }) => ownsPlace(fieldsV1, place)))
}

const isHelm = ({ manager, subresource }: ManagedFields): boolean => manager === helmManager && !subresource

const isOther = ({ manager = '', subresource }: ManagedFields): boolean =>
  manager !== helmManager && !parts.has(manager) && subresource !== 'status'

/** Without what every object has by its place, and with secrets as a server keeps them. */
function comparable({ apiVersion: _, kind: __, metadata, status: ___, stringData, ...rest }: Fields): KubeObject {
  const { labels, annotations } = isFields(metadata) ? metadata : { labels: undefined, annotations: undefined }
  const texts = Object.entries(isFields(stringData) ? stringData : {}).map(([key, text]): [string, unknown] => [
    key,
    Buffer.from(String(text), 'utf8').toString('base64'),
  ])
  const data = isFields(rest.data) ? rest.data : {}
  return present({
    ...rest,
    ...(texts.length > 0 && { data: { ...data, ...Object.fromEntries(texts) } }),
    metadata: { labels, annotations },
  }) as unknown as KubeObject
}

/** Charts write many a `null`, which says nothing. */
function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present)
  if (!isFields(value)) return value
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== undefined)
  return Object.fromEntries(entries.map(([key, each]) => [key, present(each)]))
}

/** A server keeps every key of these; what it leaves out elsewhere may be what it does not know. */
const maps: ReadonlySet<string> = new Set([
  'labels',
  'annotations',
  'data',
  'binaryData',
  'selector',
  'matchLabels',
  'nodeSelector',
  'limits',
  'requests',
])

function isRemoved(live: KubeObject, place: Place): boolean {
  const [parent = '', name = ''] = place.slice(-2)
  const isTold = maps.has(parent) || isKeyedList(parent) || maps.has(name)
  return isTold && valueAt(live, place) === undefined
}

function leavesOf(value: unknown, place: Place): Place[] {
  if (!isFields(value)) return [place]
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...place, key]))
}

/** `spec.template.spec.containers[web].image`, `data[index.html]`. */
export function pathOf(place: Place): string {
  return place.reduce((path, part, at) => {
    const isPlain = /^[A-Za-z0-9_-]+$/.test(part) && !isKeyedList(place[at - 1] ?? '')
    if (!isPlain) return `${path}[${part}]`
    return path === '' ? part : `${path}.${part}`
  }, '')
}
