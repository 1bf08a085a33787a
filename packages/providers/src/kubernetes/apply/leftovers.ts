/** Objects of an instance that nothing watches, or that it no longer needs: found by its labels, removed by uid. */
import type { Call } from '@gantry/core'
import { ownerLabels } from '../../labels.ts'
import { type Ref, refKey } from '../../ref.ts'
import type { KubernetesApi, ObjectAt, Resource } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import type { ClusterCache } from '../cluster/cluster-cache.ts'
import { setLabel } from '../manifests/record/record.ts'
import { objectName } from './ownership.ts'

/** What an instance is made of beside its controller, pods and claims. */
const parts: readonly Resource[] = [
  resources.configMap,
  resources.secret,
  resources.service,
  resources.disruptionBudget,
]

export type Leftover = { readonly at: ObjectAt; readonly uid: string; readonly deleting: boolean }

export async function partsOf(
  api: KubernetesApi,
  installation: string,
  ref: Ref,
  namespace: string,
  call: Call,
): Promise<readonly Leftover[]> {
  const labelSelector = ownSelector(installation, ref)
  const lists = await Promise.all(
    parts.map(async (resource) => {
      const { items } = await api.objects.list({ resource, namespace }, { labelSelector, metadataOnly: true }, call)
      return items.map(
        ({ metadata }): Leftover => ({
          at: { resource, namespace, name: metadata.name },
          uid: metadata.uid ?? '',
          deleting: metadata.deletionTimestamp !== undefined,
        }),
      )
    }),
  )
  return lists.flat()
}

/** The same as it was last heard of, without asking; `undefined`: some of it may not be watched. */
export function knownParts(cache: ClusterCache, ref: Ref, namespace: string): readonly Leftover[] | undefined {
  const found: Leftover[] = []
  const { configMaps, secrets, services, budgets } = cache.kinds
  const watched = [
    { resource: resources.configMap, kind: configMaps },
    { resource: resources.secret, kind: secrets },
    { resource: resources.service, kind: services },
    { resource: resources.disruptionBudget, kind: budgets },
  ]
  for (const { resource, kind } of watched) {
    if (kind.forbidden) return undefined
    for (const each of kind.items.of(refKey(ref))) {
      const { name, uid, deleting } = each
      if (each.namespace === namespace) found.push({ at: { resource, namespace, name }, uid, deleting })
    }
  }
  return found
}

/** Answers those that something else keeps a while. */
export async function removeAll(
  api: KubernetesApi,
  leftovers: readonly Leftover[],
  gone: (leftover: Leftover) => void,
  call: Call,
): Promise<readonly string[]> {
  const kept = await Promise.all(
    leftovers.map(async (leftover) => {
      const { at, uid, deleting } = leftover
      const left = deleting ? undefined : await api.objects.delete(at, { uid, propagation: 'background' }, call)
      if (deleting || left) return [objectName(at)]
      gone(leftover)
      return []
    }),
  )
  return kept.flat()
}

/** What comes from another source carries the same marks, and one more: it is not ours to remove. */
export const ownSelector = (installation: string, ref: Ref): string =>
  `${selectorText(ownerLabels(installation, ref))},!${setLabel}`

export const selectorText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
