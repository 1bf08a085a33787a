/**
 * Workloads whose objects somebody else wrote (`source: manifests`): applied, pruned, watched and removed as one set. What is
 * said of errors and signals in `engine.ts` and `api/api.ts` holds here too. The namespace of the tenant is made and removed by
 * the engine around this: it must be there before `converge`.
 */
import type { Call, Clock, Issue } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import type { EngineStep } from '../../engine-step.ts'
import type { Observation, Observed } from '../../observed.ts'
import type { Pass } from '../../pass.ts'
import type { Ref } from '../../ref.ts'
import type { ManifestsSource } from '../../source.ts'
import type { ContainerAt, KubernetesApi } from '../api/api.ts'

export type DesiredSet = Desired & { readonly source: ManifestsSource }

export interface ManifestSets {
  /** Pure: all that is wrong with the text, by document and object, as far as it can be told without the cluster. */
  check(desired: DesiredSet): readonly Issue[]

  /** Pure: what `converge` (or, with nothing desired, `remove`) would do, an object each. */
  plan(desired: DesiredSet | undefined, observed: Observed | undefined): readonly EngineStep[]

  /**
   * One idempotent pass; `done` means everything is applied, ready for `minReadySeconds`, and what left the set is gone. A field
   * that somebody else has is `engine_object_conflict`, with an issue for each; what the server refuses `engine_rejected`.
   */
  converge(desired: DesiredSet, call: Call): Promise<Pass>

  /** One pass towards nothing being there; `done` means looked and gone. What was never there is done. */
  remove(ref: Ref, call: Call): Promise<Pass>

  /** `undefined`: looked, and there is no set of this instance. */
  look(ref: Ref, call: Call): Promise<Observed | undefined>

  /** As `Engine.observe`, for the sets only: the engine's snapshot is this one's instances and its own. */
  observe(call: Call): AsyncIterable<Observation>

  /**
   * The containers behind an object of a set (`deployment/web`), youngest pod first, for logs and exec; empty where none runs.
   * `engineId` is that of the one replica of a set. Throws `replica_not_found`, `service_not_found`.
   */
  containersOf(engineId: string, service: string, call: Call): Promise<readonly SetContainer[]>

  /** Whether an engine id is that of a set: `logs` and `exec` are asked by id alone. */
  owns(engineId: string): boolean

  /** Whether this installation has a set in that namespace, by looking: then the namespace is still needed. */
  hasAny(namespace: string, call: Call): Promise<boolean>

  /** Ends the watches; what is on the cluster stays. */
  close(): Promise<void>
}

export type SetContainer = ContainerAt & {
  readonly podUid: string
  readonly running: boolean
  readonly role: 'main' | 'sidecar' | 'init'
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
