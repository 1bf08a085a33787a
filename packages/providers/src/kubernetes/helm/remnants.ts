/** Removes what Helm leaves behind: of revisions that failed, and of hooks. */
import type { Call } from '@gantry/core'
import type { KubernetesApi } from '../api/api.ts'
import type { KubeObject } from '../api/types/meta.ts'
import type { LeavingObject } from './record.ts'
import { hookAnnotation, keepPolicy, releaseAnnotation } from './release/objects.ts'

export type Remnants = {
  /** Still there and to go: asked to, and waited for. */
  readonly left: readonly string[]
  /** Stay, since the chart says so. */
  readonly kept: readonly string[]
}

export async function removeRemnants(
  objects: readonly LeavingObject[],
  of: { readonly release: string; readonly namespace: string },
  api: KubernetesApi,
  call: Call,
): Promise<Remnants> {
  const left: string[] = []
  const kept: string[] = []
  for (const { apiVersion, kind, name, namespace } of objects) {
    const resource = await api.discovery.resource(apiVersion, kind, call)
    if (!resource) continue
    const at = { resource, name, ...(resource.namespaced && { namespace: namespace ?? of.namespace }) }
    const object = await api.objects.get<KubeObject>(at, call)
    const uid = object?.metadata.uid
    if (!object || uid === undefined || !isOf(object, of)) continue
    const called = `${kind.toLowerCase()}/${name}`
    if (object.metadata.annotations?.[keepPolicy] === 'keep') kept.push(called)
    else if (await api.objects.delete(at, { uid, propagation: 'foreground' }, call)) left.push(called)
  }
  return { left, kept }
}

/** Hooks are not marked with their release; but nobody else has one of that name in this place. */
function isOf({ metadata: { annotations = {} } }: KubeObject, of: { release: string; namespace: string }): boolean {
  if (annotations[hookAnnotation] !== undefined) return true
  return annotations[releaseAnnotation] === of.release && annotations['meta.helm.sh/release-namespace'] === of.namespace
}
