/** The kinds that are watched, each with what is kept of it. */
import type { Clock } from '@gantry/core'
import { type Ref, refKey, type WorkloadRef } from '../../ref.ts'
import type { ObjectsApi, Resource, Selection } from '../api/api.ts'
import { resources } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'
import type { Claim, Node, Pod, ServiceObject, WorkloadObject } from '../observe/objects.ts'
import type { ClaimSeen, NodeSeen, PodSeen, ServiceSeen, WorkloadSeen } from '../observe/seen.ts'
import { claimSeen, nodeSeen, podSeen, serviceSeen, type Trimming, workloadSeen } from '../observe/trim.ts'
import { WatchedKind } from './watched-kind.ts'

export type Kinds = {
  readonly pods: WatchedKind<Pod, PodSeen>
  readonly deployments: WatchedKind<WorkloadObject, WorkloadSeen>
  readonly statefulSets: WatchedKind<WorkloadObject, WorkloadSeen>
  /** Those of a workload as a whole are grouped by its uid. */
  readonly services: WatchedKind<ServiceObject, ServiceSeen>
  readonly claims: WatchedKind<Claim, ClaimSeen>
  /** Each is a group of its own, by name. */
  readonly nodes: WatchedKind<Node, NodeSeen>
  readonly all: readonly Pick<WatchedKind<KubeObject, { resourceVersion: string }>, 'follow'>[]
  /** Those that hold objects of ours, by the name of the kind in paths. */
  readonly byPlural: Readonly<Record<string, AnyKind>>
}

export type AnySeen = PodSeen | WorkloadSeen | ServiceSeen | ClaimSeen

type AnyKind = {
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
    groupOf: (seen: Seen) => string = ({ ref }) => (ref ? refKey(ref) : ''),
  ): WatchedKind<Raw, Seen> {
    return new WatchedKind<Raw, Seen>({
      api,
      clock,
      of: { resource, ...(namespace === undefined ? {} : { namespace }) },
      which,
      trim: (raw) => trim(raw, trimming),
      groupOf,
      changed(now, before) {
        if (!now && before) parts.forget(before.uid)
        for (const ref of refsOf(now ?? before)) parts.changed(ref)
      },
    })
  }

  const kinds = {
    pods: owned(resources.pod, podSeen),
    deployments: owned(resources.deployment, workloadSeen),
    statefulSets: owned(resources.statefulSet, workloadSeen),
    services: owned(resources.service, serviceSeen, ({ ref, workload }) => (ref ? refKey(ref) : workload.uid)),
    claims: owned(resources.claim, claimSeen),
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
  }
  return { ...kinds, all: Object.values(kinds), byPlural }
}
