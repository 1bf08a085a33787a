/** What is there of a release's objects now, by asking. */
import type { Call } from '@gantry/core'
import type { KubernetesApi, ObjectAt } from '../../api/api.ts'
import { resources } from '../../api/resources.ts'
import type { KubeObject } from '../../api/types/meta.ts'
import { storageClasses } from '../../manifests/classes.ts'
import { isClaim } from '../../manifests/health/claims.ts'
import { makesPods } from '../../manifests/kinds.ts'
import { shownName } from '../../manifests/record/record.ts'
import type { SetObject } from '../../manifests/set-object.ts'
import { hookObjectsOf, objectsOf } from '../release/objects.ts'
import type { KnownRevision } from '../release/revisions.ts'
import { changedFields } from './changed.ts'

export type LiveObject = {
  /** `deployment/web`. */
  readonly name: string
  readonly at: ObjectAt
  readonly written: SetObject
  readonly isHook: boolean
  /** Undefined: it is not there. `unknown`: it could not be looked at. */
  readonly object: KubeObject | 'unknown' | undefined
  /** Paths of what somebody else has changed of it; of a hook nobody asks. */
  readonly changed: readonly string[]
}

export type Live = {
  readonly objects: readonly LiveObject[]
  readonly pods: readonly KubeObject[]
  /** Storage classes, where there are claims. */
  readonly classes: readonly KubeObject[]
  /** Helm has made them all. */
  readonly isDeployed: boolean
}

export const nothingLive: Live = { objects: [], pods: [], classes: [], isDeployed: false }

type Written = { readonly one: SetObject; readonly isHook: boolean }

/** Hooks are shown while Helm is at work: then they are what is waited for. */
export function writtenIn(revision: KnownRevision): readonly Written[] {
  const hooks = revision.status.startsWith('pending-') ? hookObjectsOf(revision) : []
  return [...objectsOf(revision).map((one) => ({ one, isHook: false })), ...hooks.map((one) => ({ one, isHook: true }))]
}

export async function readLive(
  revision: KnownRevision | undefined,
  namespace: string,
  api: KubernetesApi,
  call: Call,
): Promise<Live> {
  if (!revision) return nothingLive
  const found = await Promise.all(
    writtenIn(revision).map(async ({ one, isHook }): Promise<readonly LiveObject[]> => {
      const resource = await api.discovery.resource(one.apiVersion, one.kind, call)
      // A kind that has gone has taken its objects with it.
      if (!resource) return []
      const at = { resource, name: one.name, ...(resource.namespaced && { namespace: one.namespace ?? namespace }) }
      const object = await api.objects.get(at, call)
      // A hook whose turn has not come, or that is over and was cleared away.
      if (isHook && !object) return []
      const changed = object && !isHook ? changedFields(one, object) : []
      return [{ name: shownName(at, namespace), at, written: one, isHook, object, changed }]
    }),
  )
  const objects = found.flat()
  const makers = objects.filter(({ written: { apiVersion, kind } }) => makesPods(apiVersion, kind))
  const places = new Set(makers.map(({ at }) => at.namespace ?? namespace))
  const pods = await Promise.all(
    [...places].map(async (place) => {
      const { items } = await api.objects.list<KubeObject>({ resource: resources.pod, namespace: place }, {}, call)
      return items
    }),
  )
  const hasClaims = objects.some(({ written: { apiVersion, kind } }) => isClaim(apiVersion, kind))
  const classes = hasClaims ? await storageClasses(api.objects, call) : []
  return { objects, pods: pods.flat(), classes, isDeployed: revision.status === 'deployed' }
}
