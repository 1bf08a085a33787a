/** Workloads whose objects somebody else wrote (`source: manifests`): applied, pruned, watched and removed as one set. */
import type { Call, Clock } from '@gantry/core'
import type { EngineStep } from '../../engine-step.ts'
import type { Observed } from '../../observed.ts'
import type { Pass } from '../../pass.ts'
import type { KubernetesApi } from '../api/api.ts'
import type { Rooms } from '../room/rooms.ts'
import type { DesiredFrom, SourceKeeper } from '../sources/source-keeper.ts'

export type DesiredSet = DesiredFrom<'manifests'>

export interface ManifestSets extends SourceKeeper<DesiredSet> {
  /** An object each. */
  plan(desired: DesiredSet | undefined, observed: Observed | undefined): readonly EngineStep[]

  /**
   * `done` means everything is applied, ready for `minReadySeconds`, and what left the set is gone. A field that somebody else
   * has is `engine_object_conflict`, with an issue for each; what the server refuses `engine_rejected`.
   */
  converge(desired: DesiredSet, call: Call): Promise<Pass>
}

export type SetOptions = {
  readonly api: KubernetesApi
  readonly clock: Clock
  readonly installation: string
  /** Where objects of a tenant are that name no namespace, and the record of each of its sets. */
  readonly namespaceOf: (tenant: string) => string
  readonly allow: Confinement
  /** On every object, below the user's own and ours; left out: none. */
  readonly labels?: Readonly<Record<string, string>>
  /** The only namespace that may be looked into; left out: all of the cluster. */
  readonly onlyNamespace?: string
  /** How addresses of Services are reached from here; left out: `direct`. */
  readonly via?: 'direct' | 'tunnel'
  /** What autoscalers say of pods that find no node, shared by all that look after this cluster; left out: one of its own. */
  readonly rooms?: Rooms
}

/** Who may leave the namespace of its tenant, as a Provider's settings say (`kubernetes.allow`). */
export type Confinement = {
  /** Tenants that may have objects in no namespace; `*`: all. */
  readonly clusterScoped: readonly string[]
  /** By tenant: namespaces beside its own. */
  readonly namespaces: Readonly<Record<string, readonly string[]>>
}

/** Nobody leaves. */
export const confined: Confinement = { clusterScoped: [], namespaces: {} }
