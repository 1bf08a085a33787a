/** Looks at one set now, by asking, and at what its containers are. */
import { type Call, Fault, isFault } from '@gantry/core'
import type { Observed } from '../../observed.ts'
import { type Ref, refKey } from '../../ref.ts'
import type { ObjectsApi } from '../api/api.ts'
import { apiVersionOf, resources } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { roomsIn } from '../room/rooms-in.ts'
import type { SetContainer } from '../sources/source-keeper.ts'
import { storageClasses } from './classes.ts'
import { at, type Fields, isFields, listAt, textAt } from './fields.ts'
import { isClaim } from './health/claims.ts'
import { podsOf, refusedPods } from './health/pods.ts'
import { kindKey } from './kinds.ts'
import { ownedHash } from './owned.ts'
import { type SetParts, selectorOf } from './parts.ts'
import { type RecordObject, recordIn } from './record/content.ts'
import { entryId, shownNames } from './record/record.ts'
import { recordName } from './record/store.ts'
import { surveyOwn } from './survey.ts'
import { observedOf } from './view/observed-of.ts'
import { engineIdOf, podNamespacesOf, recordPlace } from './watch/seen-record.ts'
import type { SetSite } from './watch/set-site.ts'

export async function lookAtSet(
  parts: SetParts,
  troubles: SetSite['troubles'],
  ref: Ref,
  call: Call,
): Promise<Observed | undefined> {
  const { options } = parts
  const { objects } = options.api
  const now = new Date(options.clock.now())
  const trouble = troubles.of(ref)
  const stored = await parts.records.read(ref, options.namespaceOf(ref.tenant), call)
  if (!stored || stored.record.ref.uid !== ref.uid) {
    if (!trouble) return undefined
    return { ref, replicas: [], endpoints: [], stalled: trouble, drift: [], notEnforced: [], at: now }
  }
  const { record, uid } = stored
  const namespaces = [...podNamespacesOf(record)]
  const hasClaims = record.entries.some(({ resource }) => isClaim(apiVersionOf(resource), resource.kind))
  const [own, pods, classes] = await Promise.all([
    surveyOwn(objects, record.entries, selectorOf(options, ref), call),
    Promise.all(namespaces.map((namespace) => besideIn(objects, namespace, call))),
    hasClaims ? storageClasses(objects, call) : [],
  ])
  const roomOf = await roomsIn(parts.rooms, pods.flat(), call)
  const podsOfNamespace = new Map(namespaces.map((namespace, index) => [namespace, pods[index] ?? []]))
  const name = recordName(options.installation, ref)
  const view = {
    record,
    engineId: engineIdOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: record.namespace, uid } }),
    find: (entry: (typeof record.entries)[number]) => {
      const object = own.get(entryId(entry))
      return object && { object, owned: ownedHash(object) }
    },
    podsIn: (namespace: string) => podsOfNamespace.get(namespace) ?? [],
    classes: () => classes,
    roomOf,
    via: options.via ?? ('direct' as const),
    now,
  }
  return observedOf(view, trouble, parts.times(refKey(ref), record.specHash, now))
}

const podsIn = (namespace: string) => ({ resource: resources.pod, namespace })

/** Pods, and events of those that could not be made, which not everybody may see. */
async function besideIn(objects: ObjectsApi, namespace: string, call: Call): Promise<readonly KubeObject[]> {
  const [pods, refusals] = await Promise.all([
    objects.list(podsIn(namespace), {}, call),
    objects.list({ resource: resources.event, namespace }, refusedPods, call).catch((error: unknown) => {
      if (isFault(error) && error.reason === 'engine_forbidden') return { items: [] }
      throw error
    }),
  ])
  return [...pods.items, ...refusals.items]
}

export async function containersOfSet(
  { options }: SetParts,
  engineId: string,
  service: string,
  call: Call,
): Promise<readonly SetContainer[]> {
  const { objects } = options.api
  const place = recordPlace(engineId)
  const raw = place && (await objects.get<RecordObject>({ resource: resources.configMap, ...place }, call))
  const record = raw?.metadata.uid === place?.uid && raw ? recordIn(raw, options.installation) : undefined
  if (!record) throw new Fault('replica_not_found', `There is no set ${engineId} any more`)
  const names = shownNames(record.entries, record.namespace)
  const entry = record.entries.find((each) => names.get(entryId(each)) === service)
  if (!entry) throw new Fault('service_not_found', `The set has no object ${service}; gantry ps shows what it has`)
  const { resource, name, namespace } = entry
  if (namespace === undefined) return []
  const object = await objects.get({ resource, name, namespace }, call)
  if (!object) return []
  const { items } = await objects.list(podsIn(namespace), {}, call)
  return containersBehind(object, items)
}

/** Pure: of these pods those that an object made, or that a Service sends to, youngest first. */
export function containersBehind(object: KubeObject, pods: readonly KubeObject[]): readonly SetContainer[] {
  const own = kindKey(object.apiVersion, object.kind) === 'Service' ? selected(object, pods) : podsOf(object, pods)
  return [...own].sort((left, right) => created(right) - created(left)).flatMap(containersIn)
}

/** The pods behind a Service. One without a selector has none that we know. */
function selected(service: KubeObject, pods: readonly KubeObject[]): readonly KubeObject[] {
  const selector = at(service, 'spec', 'selector')
  const wanted = Object.entries(isFields(selector) ? selector : {})
  if (wanted.length === 0) return []
  return pods.filter(({ metadata: { labels = {} } }) => wanted.every(([key, value]) => labels[key] === value))
}

const created = ({ metadata }: KubeObject): number => Date.parse(metadata.creationTimestamp ?? '') || 0

function containersIn(pod: KubeObject): SetContainer[] {
  const { name, namespace = '', uid = '' } = pod.metadata
  const running = new Set(
    [...listAt(pod, 'status', 'containerStatuses'), ...listAt(pod, 'status', 'initContainerStatuses')]
      .filter((status) => at(status, 'state', 'running') !== undefined)
      .map((status) => textAt(status, 'name')),
  )
  const isReady = listAt(pod, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True',
  )
  const serving = isReady && pod.metadata.deletionTimestamp === undefined
  const make = (container: unknown, role: SetContainer['role']): SetContainer => {
    const its = textAt(container, 'name') ?? ''
    return { namespace, pod: name, podUid: uid, container: its, running: running.has(its), serving, role }
  }
  const inits = listAt(pod, 'spec', 'initContainers').map((each) =>
    make(each, textAt(each as Fields, 'restartPolicy') === 'Always' ? 'sidecar' : 'init'),
  )
  return [
    ...listAt(pod, 'spec', 'containers').map((each, index) => make(each, index === 0 ? 'main' : 'sidecar')),
    ...inits,
  ]
}
