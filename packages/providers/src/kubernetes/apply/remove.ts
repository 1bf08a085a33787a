/** One pass towards nothing of an instance being there, but for the volumes that outlive it. */
import type { Call } from '@gantry/core'
import type { RemoveOptions } from '../../engine.ts'
import { label, refFromLabels } from '../../labels.ts'
import { done, type Pass, waitFor } from '../../pass.ts'
import { type Ref, refKey } from '../../ref.ts'
import { goesWith } from '../../volume-owner.ts'
import type { KubernetesApi } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'
import type { ClusterCache } from '../cluster/cluster-cache.ts'
import { setLabel } from '../manifests/record/record.ts'
import { retainLabel } from '../plan/claims.ts'
import type { Leftover } from './leftovers.ts'
import { ownSelector, partsOf, removeAll, selectorText } from './leftovers.ts'
import type { Namespaces } from './namespaces.ts'
import { objectName } from './ownership.ts'
import type { WorkloadServices } from './workload-service.ts'

export type RemoveParts = {
  readonly api: KubernetesApi
  readonly cache: ClusterCache
  readonly namespaces: Namespaces
  readonly services: WorkloadServices
  readonly installation: string
}

const lookAgainMs = 1000

export async function removePass(parts: RemoveParts, ref: Ref, options: RemoveOptions, call: Call): Promise<Pass> {
  const { api, cache, installation, namespaces, services } = parts
  await cache.refresh(call)
  const namespace = cache.workloads(ref)[0]?.namespace ?? cache.pods(ref)[0]?.namespace ?? namespaces.of(ref.tenant)
  await removeWorkloads(parts, ref, call)
  await services.leave(ref, call)
  const drop = ({ at, uid }: Leftover): void => cache.drop(at.resource, uid)
  const kept = await removeAll(api, await partsOf(api, installation, ref, namespace, call), drop, call)
  const pods = cache.pods(ref)
  if (pods.length > 0) return waitFor(podWords(parts, ref), lookAgainMs)
  const left = [...kept, ...cache.workloads(ref).map(({ kind, name }) => `${kind} ${namespace}/${name}`)]
  if (left.length > 0) return waitFor(`${left.join(', ')} to be gone`, lookAgainMs)
  // What is heard of may be a moment late: looked at once, for certain.
  const labelSelector = ownSelector(installation, ref)
  for (const resource of [resources.deployment, resources.statefulSet, resources.replicaSet, resources.pod]) {
    const { items } = await api.objects.list({ resource, namespace }, { labelSelector, metadataOnly: true }, call)
    const [first] = items
    if (first) return waitFor(`${objectName({ resource, namespace, name: first.metadata.name })} to be gone`, 200)
  }
  return await removeClaims(parts, ref, namespace, options, call)
}

async function removeWorkloads({ api, cache }: RemoveParts, ref: Ref, call: Call): Promise<void> {
  await Promise.all(
    cache.workloads(ref).map(async ({ kind, namespace, name, uid, deleting }) => {
      if (deleting) return
      const resource = kind === 'Deployment' ? resources.deployment : resources.statefulSet
      const left = await api.objects.delete({ resource, namespace, name }, { uid, propagation: 'background' }, call)
      if (left) cache.fold(resource, left)
      else cache.drop(resource, uid)
    }),
  )
}

function podWords({ cache }: RemoveParts, ref: Ref): string {
  const pods = cache.pods(ref)
  const lost = pods.find(({ node }) => node !== undefined && cache.isNodeLost(node))
  if (lost) return `pod ${lost.namespace}/${lost.name} on node ${lost.node}, which says nothing any more`
  return `${pods.length} replicas to end`
}

/** Those that go with it, of this life and of those before it. */
async function removeClaims(
  { api, cache, installation }: RemoveParts,
  ref: Ref,
  namespace: string,
  options: RemoveOptions,
  call: Call,
): Promise<Pass> {
  const of = { resource: resources.claim, namespace }
  const marks = { [label.installation]: installation, [label.tenant]: ref.tenant, [label.workload]: ref.workload }
  const labelSelector = `${selectorText(marks)},!${setLabel}`
  const { items } = await api.objects.list<KubeObject>(of, { labelSelector, metadataOnly: true }, call)
  const isHere = (other: Ref): boolean => refKey(other) !== refKey(ref) && cache.isHere(other)
  const going = items.filter(({ metadata }) => {
    const labels = metadata.labels ?? {}
    const owner = refFromLabels(installation, { ...labels, [label.uid]: labels[label.uid] ?? ref.uid })
    const retain = labels[retainLabel] !== 'false'
    return owner && goesWith({ installation, ref: owner, retain }, { installation, ref }, options, isHere)
  })
  const leftovers = going.map(
    ({ metadata }): Leftover => ({
      at: { ...of, name: metadata.name },
      uid: metadata.uid ?? '',
      deleting: metadata.deletionTimestamp !== undefined,
    }),
  )
  const kept = await removeAll(api, leftovers, ({ uid }) => cache.drop(resources.claim, uid), call)
  return kept.length === 0 ? done : waitFor(`${kept.join(', ')} to be gone`, 200)
}
