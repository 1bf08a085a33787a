/** Pure: what must be watched to know of these sets. */
import { label } from '../../../labels.ts'
import type { Resource } from '../../api/api.ts'
import { apiVersionOf, resources } from '../../api/resources.ts'
import { isClaim } from '../health/claims.ts'
import { refusedPods } from '../health/pods.ts'
import { readyWhenThere } from '../kinds.ts'
import { type SetRecord, setKind, setLabel } from '../record/record.ts'
import type { Follow } from './followed-kinds.ts'
import { seenClass, seenEvent, seenObject, seenPod } from './seen-object.ts'
import { podNamespacesOf } from './seen-record.ts'

export const kindFollowKey = ({ group, kind }: Resource): string => `kind ${group}/${kind}`
export const podsFollowKey = (namespace: string): string => `pods ${namespace}`
export const classesFollowKey = 'classes'
export const refusalsFollowKey = (namespace: string): string => `refusals ${namespace}`

/** Pods have no labels of ours, since templates are the author's; so all of a namespace are watched where a set has some. */
export function followsOf(
  records: readonly SetRecord[],
  { installation, onlyNamespace }: { readonly installation: string; readonly onlyNamespace?: string },
): readonly Follow[] {
  const labelSelector = `${label.installation}=${installation},${setLabel}=${setKind}`
  const follows = new Map<string, Follow>()
  for (const record of records) {
    for (const { resource } of record.entries) {
      if (isClaim(apiVersionOf(resource), resource.kind)) {
        const of = { resource: resources.storageClass }
        follows.set(classesFollowKey, { key: classesFollowKey, of, which: {}, trim: seenClass })
      }
      const key = kindFollowKey(resource)
      if (follows.has(key)) continue
      const metadataOnly = readyWhenThere(apiVersionOf(resource), resource.kind)
      const namespace = resource.namespaced && onlyNamespace !== undefined ? { namespace: onlyNamespace } : {}
      follows.set(key, {
        key,
        of: { resource, ...namespace },
        which: { labelSelector, metadataOnly },
        trim: seenObject,
      })
    }
    for (const namespace of podNamespacesOf(record)) {
      const key = podsFollowKey(namespace)
      follows.set(key, { key, of: { resource: resources.pod, namespace }, which: {}, trim: seenPod })
      const refusals = refusalsFollowKey(namespace)
      const of = { resource: resources.event, namespace }
      follows.set(refusals, { key: refusals, of, which: refusedPods, trim: seenEvent })
    }
  }
  return [...follows.values()]
}
