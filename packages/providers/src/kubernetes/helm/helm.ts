/** Workloads that are a release of a Helm chart (`source: helm`), made by the real `helm`, which runs beside the passes. */
import type { Call, Clock } from '@gantry/core'
import type { Pass } from '../../pass.ts'
import type { Ref } from '../../ref.ts'
import type { KubernetesApi } from '../api/api.ts'
import type { Confinement } from '../manifests/manifests.ts'
import type { Rooms } from '../room/rooms.ts'
import type { DesiredFrom, SourceKeeper } from '../sources/source-keeper.ts'

export type DesiredChart = DesiredFrom<'helm'>

export interface HelmReleases extends SourceKeeper<DesiredChart> {
  /**
   * One pass, which never waits for helm: it begins one where none runs for this release, and yields with what that one waits
   * for. `done` means that helm calls the newest revision deployed, that it is this release of ours, and (with `wait`) that its
   * objects are ready for `minReadySeconds`. What failed is in `Observed.stalled`, and is tried again after a while.
   */
  converge(desired: DesiredChart, call: Call): Promise<Pass>

  /** `done` means that the release, its objects and our record were looked for and are gone. */
  remove(ref: Ref, call: Call): Promise<Pass>

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
  /** What autoscalers say of pods that find no node, shared by all that look after this cluster; left out: one of its own. */
  readonly rooms?: Rooms
  /** Short, and never the same twice. */
  readonly ids?: () => string
}
