/**
 * Workloads that are a release of a Helm chart (`source: helm`), made by the real `helm`, which runs beside the passes. What is
 * said of errors and signals in `engine.ts` and `api/api.ts` holds here too, and the shape is that of `ManifestSets`. The
 * namespace of the tenant is made and removed by the engine around this: it must be there before `converge`.
 */
import type { Call, Clock, Issue } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import type { EngineStep } from '../../engine-step.ts'
import type { Observation, Observed } from '../../observed.ts'
import type { Pass } from '../../pass.ts'
import type { Ref } from '../../ref.ts'
import type { HelmSource } from '../../source.ts'
import type { KubernetesApi } from '../api/api.ts'
import type { Confinement, SetContainer } from '../manifests/manifests.ts'

export type DesiredChart = Desired & { readonly source: HelmSource }

export interface HelmReleases {
  /** Pure: all that is wrong with the source as far as it can be told without the chart: names, paths, values that are no YAML. */
  check(desired: DesiredChart): readonly Issue[]

  /** Pure: what `converge` (or, with nothing desired, `remove`) would do. */
  plan(desired: DesiredChart | undefined, observed: Observed | undefined): readonly EngineStep[]

  /**
   * One pass, which never waits for helm: it begins one where none runs for this release, and yields with what that one waits
   * for. `done` means that helm calls the newest revision deployed, that it is this release of ours, and (with `wait`) that its
   * objects are ready for `minReadySeconds`. What failed is in `Observed.stalled`, and is tried again after a while.
   */
  converge(desired: DesiredChart, call: Call): Promise<Pass>

  /** One pass towards nothing being there; `done` means that the release, its objects and our record were looked for and are gone. */
  remove(ref: Ref, call: Call): Promise<Pass>

  /** `undefined`: looked, and there is no release of this instance. */
  look(ref: Ref, call: Call): Promise<Observed | undefined>

  /** As `Engine.observe`, for releases only: the engine's snapshot is this one's instances and its own. */
  observe(call: Call): AsyncIterable<Observation>

  /** As `ManifestSets.containersOf`. */
  containersOf(engineId: string, service: string, call: Call): Promise<readonly SetContainer[]>

  /** Whether an engine id is that of a release: `logs` and `exec` are asked by id alone. */
  owns(engineId: string): boolean

  /** Whether this installation has a release in that namespace, by looking: then the namespace is still needed. */
  hasAny(namespace: string, call: Call): Promise<boolean>

  /** Every revision that Helm still knows, oldest first, read from its own Secrets; empty where there is no release. */
  history(ref: Ref, call: Call): Promise<readonly Revision[]>

  /** Ends the watches. A helm that runs is left to end by itself: the next one of us finds it. */
  close(): Promise<void>
}

/** Helm's own words for what became of a revision. */
export type HelmStatus =
  | 'unknown'
  | 'deployed'
  | 'uninstalled'
  | 'superseded'
  | 'failed'
  | 'uninstalling'
  | 'pending-install'
  | 'pending-upgrade'
  | 'pending-rollback'

export type Revision = {
  readonly revision: number
  readonly status: HelmStatus
  /** `web-1.2.3`, as `helm list` shows it. */
  readonly chart: string
  readonly appVersion?: string
  readonly description: string
  readonly updated?: Date
  /** Which of our releases it is made of; left out: of none. */
  readonly release?: string
  readonly specHash?: string
}

export type HelmOptions = {
  readonly api: KubernetesApi
  readonly clock: Clock
  readonly installation: string
  /** Where the objects of a tenant are, and the record of each of its releases. */
  readonly namespaceOf: (tenant: string) => string
  readonly allow: Confinement
  /** The text of a kubeconfig whose current context is this cluster: asked for before each run, since tokens change. */
  readonly kubeconfig: (call: Call) => Promise<string>
  /** A folder for us alone, which outlives us: what a helm is given and what it says lies there while it runs. */
  readonly folder: string
  /** The program; left out: `helm` in the PATH. */
  readonly helm?: string
  /** Folders of this machine that charts may be in or below (`chart: path`); left out: none. */
  readonly chartFolders?: readonly string[]
  /** Registries that are spoken to without TLS, as `host:port`; those of this machine always are. */
  readonly plainHttp?: readonly string[]
  /** The only namespace that may be looked into; left out: all of the cluster. */
  readonly onlyNamespace?: string
  /** How addresses of Services are reached from here; left out: `direct`. */
  readonly via?: 'direct' | 'tunnel'
  /** Short, and never the same twice. */
  readonly ids?: () => string
}
