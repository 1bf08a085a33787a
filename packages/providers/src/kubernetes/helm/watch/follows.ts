/** Pure: what must be watched to know of the objects of releases. */
import type { Resource } from '../../api/api.ts'
import { resources } from '../../api/resources.ts'
import type { KubeObject } from '../../api/types/meta.ts'
import { isClaim } from '../../manifests/health/claims.ts'
import { makesPods, readyWhenThere } from '../../manifests/kinds.ts'
import type { SetObject } from '../../manifests/set-object.ts'
import type { Follow } from '../../manifests/watch/followed-kinds.ts'
import { type SeenChange, type SeenObject, seenClass, seenObject, seenPod } from '../../manifests/watch/seen-object.ts'

/** Helm puts this on everything but hooks. */
const labelSelector = 'app.kubernetes.io/managed-by=Helm'

export const kindKeyOf = ({ apiVersion, kind }: Pick<SetObject, 'apiVersion' | 'kind'>): string =>
  `${apiVersion} ${kind}`
export const objectsKey = (of: Pick<SetObject, 'apiVersion' | 'kind'>): string => `objects ${kindKeyOf(of)}`
export const hooksKey = (of: Pick<SetObject, 'apiVersion' | 'kind'>, namespace: string): string =>
  `hooks ${kindKeyOf(of)} ${namespace}`
export const classesKey = 'classes'
export const podsKey = (namespace: string): string => `pods ${namespace}`

export type Written = { readonly one: SetObject; readonly isHook: boolean; readonly namespace: string }

export function followsOf(
  all: readonly Written[],
  resourceOf: (of: Pick<SetObject, 'apiVersion' | 'kind'>) => Resource | undefined,
  onlyNamespace: string | undefined,
  passing: (kind: string, raw: KubeObject) => SeenChange | undefined,
): readonly Follow[] {
  const follows = new Map<string, Follow>()
  for (const { one, isHook, namespace } of all) {
    const resource = resourceOf(one)
    if (!resource) continue
    const metadataOnly = readyWhenThere(one.apiVersion, one.kind)
    const key = isHook ? hooksKey(one, namespace) : objectsKey(one)
    const place = isHook ? namespace : onlyNamespace
    const of = { resource, ...(resource.namespaced && place !== undefined && { namespace: place }) }
    if (!follows.has(key)) {
      const kind = kindKeyOf(one)
      const trim = (raw: KubeObject): SeenObject => {
        const changed = passing(kind, raw)
        return { ...seenObject(raw), ...(changed && { changed }) }
      }
      const usual = { key, of, which: { metadataOnly } }
      follows.set(
        key,
        isHook ? { ...usual, trim: seenObject } : { ...usual, which: { metadataOnly, labelSelector }, trim },
      )
    }
    if (isClaim(one.apiVersion, one.kind)) {
      const classes = { resource: resources.storageClass }
      follows.set(classesKey, { key: classesKey, of: classes, which: {}, trim: seenClass })
    }
    // Pods have labels of the chart alone, so all of a namespace are watched where a release has some.
    if (makesPods(one.apiVersion, one.kind)) {
      const pods = podsKey(namespace)
      follows.set(pods, { key: pods, of: { resource: resources.pod, namespace }, which: {}, trim: seenPod })
    }
  }
  return [...follows.values()]
}
