/** The kinds that are watched, each with what is kept of it. */
import type { Clock, Fault } from '@gantry/core'
import { type Ref, refKey, type WorkloadRef } from '../../ref.ts'
import type { ObjectsApi, Resource, Selection } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'
import type { Claim, Node, Pod, ServiceObject, WorkloadObject } from '../observe/objects.ts'
import type { ClaimSeen, NodeSeen, PartSeen, PodSeen, ServiceSeen, WorkloadSeen } from '../observe/seen.ts'
import { claimSeen, nodeSeen, partSeen, podSeen, serviceSeen, type Trimming, workloadSeen } from '../observe/trim.ts'
import { type KindParts, WatchedKind } from './watched-kind.ts'

export type Kinds = {
  readonly pods: WatchedKind<Pod, PodSeen>
  readonly deployments: WatchedKind<WorkloadObject, WorkloadSeen>
  readonly statefulSets: WatchedKind<WorkloadObject, WorkloadSeen>
  /** Those of a workload as a whole are grouped by its uid. */
  readonly services: WatchedKind<ServiceObject, ServiceSeen>
  readonly claims: WatchedKind<Claim, ClaimSeen>
  /** By their metadata alone; secrets are nobody's business here. */
  readonly configMaps: WatchedKind<KubeObject, PartSeen>
  readonly secrets: WatchedKind<KubeObject, PartSeen>
  readonly budgets: WatchedKind<KubeObject, PartSeen>
  /** Each is a group of its own, by name. */
  readonly nodes: WatchedKind<Node, NodeSeen>
  readonly all: readonly Pick<WatchedKind<KubeObject, { resourceVersion: string }>, 'follow'>[]
  /** Those that hold objects of ours, by the name of the kind in paths. */
  readonly byPlural: Readonly<Record<string, AnyKind>>
}

export type AnySeen = PodSeen | WorkloadSeen | ServiceSeen | ClaimSeen | PartSeen

type AnyKind = {
  readonly forbidden: Fault | undefined
  readonly items: { get(uid: string): AnySeen | undefined }
  fold(object: KubeObject): void
  drop(uid: string): void
}

export type KindsParts = {
  readonly api: ObjectsApi
  readonly clock: Clock
  /** What our mark is, as a label selector. */
  readonly selector: string
  readonly namespace?: string
  readonly trimming: Trimming
  readonly changed: (ref: Ref) => void
  /** Somebody wants something else of a Deployment or StatefulSet than before; it may have been us. */
  readonly rewritten: (ref: Ref, raw: WorkloadObject) => void
  /** An object is gone: by uid. */
  readonly forget: (uid: string) => void
  readonly nodeChanged: (name: string) => void
}

type Owned = {
  readonly resourceVersion: string
  readonly uid: string
  readonly ref: Ref | undefined
  readonly workload?: WorkloadRef
}

/** Both slots, where an object is of neither. */
function refsOf(seen: Owned | undefined): readonly Ref[] {
  if (!seen) return []
  const { ref, workload } = seen
  if (ref) return [ref]
  return workload ? (['a', 'b'] as const).map((slot) => ({ ...workload, slot })) : []
}

export function watchedKinds(parts: KindsParts): Kinds {
  const { api, clock, namespace, trimming } = parts
  const which: Selection = { labelSelector: parts.selector }

  function owned<Raw extends KubeObject, Seen extends Owned>(
    resource: Resource,
    trim: (raw: Raw, trimming: Trimming) => Seen | undefined,
    more: Partial<KindParts<Raw, Seen>> = {},
  ): WatchedKind<Raw, Seen> {
    return new WatchedKind<Raw, Seen>({
      api,
      clock,
      of: { resource, ...(namespace === undefined ? {} : { namespace }) },
      which,
      trim: (raw) => trim(raw, trimming),
      groupOf: ({ ref }) => (ref ? refKey(ref) : ''),
      changed(now, before) {
        if (!now && before) parts.forget(before.uid)
        for (const ref of refsOf(now ?? before)) parts.changed(ref)
      },
      ...more,
    })
  }

  const workloads = (resource: Resource): WatchedKind<WorkloadObject, WorkloadSeen> =>
    owned(resource, workloadSeen, {
      changed(now, before, raw) {
        if (!now && before) parts.forget(before.uid)
        if (now && raw && now.generation !== before?.generation) parts.rewritten(now.ref, raw)
        for (const ref of refsOf(now ?? before)) parts.changed(ref)
      },
    })

  /** Nothing of what is shown comes from them: only who must make them again is told. */
  const unread = (resource: Resource): WatchedKind<KubeObject, PartSeen> =>
    owned<KubeObject, PartSeen>(resource, partSeen, {
      which: { ...which, metadataOnly: true },
      changed(now, before) {
        if (before && (!now || markOf(resource, now) !== markOf(resource, before))) parts.changed(before.ref)
      },
      optional: true,
    })

  const kinds = {
    pods: owned(resources.pod, podSeen),
    deployments: workloads(resources.deployment),
    statefulSets: workloads(resources.statefulSet),
    services: owned<ServiceObject, ServiceSeen>(resources.service, serviceSeen, {
      groupOf: ({ ref, workload }) => (ref ? refKey(ref) : workload.uid),
    }),
    claims: owned(resources.claim, claimSeen),
    configMaps: unread(resources.configMap),
    secrets: unread(resources.secret),
    budgets: unread(resources.disruptionBudget),
    nodes: new WatchedKind<Node, NodeSeen>({
      api,
      clock,
      of: { resource: resources.node },
      which: {},
      trim: nodeSeen,
      groupOf: ({ name }) => name,
      changed(now, before) {
        if (now?.ready !== before?.ready) parts.nodeChanged(now?.name ?? before?.name ?? '')
      },
      optional: true,
    }),
  }
  const byPlural = {
    [resources.pod.plural]: kinds.pods,
    [resources.deployment.plural]: kinds.deployments,
    [resources.statefulSet.plural]: kinds.statefulSets,
    [resources.service.plural]: kinds.services,
    [resources.claim.plural]: kinds.claims,
    [resources.configMap.plural]: kinds.configMaps,
    [resources.secret.plural]: kinds.secrets,
    [resources.disruptionBudget.plural]: kinds.budgets,
  }
  return { ...kinds, all: Object.values(kinds), byPlural }
}

/** While it is the same nobody has asked for anything else: a status changes the version all the time, but no generation. */
export const markOf = (
  { group }: Pick<Resource, 'group'>,
  { generation = 0, resourceVersion = '' }: { readonly generation?: number; readonly resourceVersion?: string },
): string => (group === '' ? resourceVersion : String(generation))
