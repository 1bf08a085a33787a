/** What the `kubernetes` engine is given. Time, randomness and ids are parameters, and so is the way to the cluster. */
import type { Clock } from '@gantry/core'
import type { Leaving } from '../leaving.ts'
import type { KubernetesApi } from './api/api.ts'
import type { HelmOptions } from './helm/helm.ts'
import type { Confinement } from './manifests/manifests.ts'

/** What Helm needs beside what the engine has: see `HelmOptions`. */
export type ChartOptions = Pick<HelmOptions, 'kubeconfig' | 'folder' | 'helm' | 'chartFolders' | 'plainHttp'>

export type KubernetesOptions = {
  readonly installation: string
  readonly clock: Clock
  readonly leaving: Leaving
  readonly api: KubernetesApi
  /** Namespaces of tenants are `<prefix>-<tenant>`; left out: `gantry`. */
  readonly namespacePrefix?: string
  /** One namespace that is there already, for all tenants; wins over the prefix. */
  readonly namespace?: string
  /** On everything we make, below users' own labels and ours. */
  readonly labels?: Readonly<Record<string, string>>
  /** Secrets with registry accounts, which must be in every namespace that we use. */
  readonly imagePullSecrets?: readonly string[]
  /** Registries that are asked for images without TLS, as `host:port`; those of this machine always are. */
  readonly insecureRegistries?: readonly string[]
  /** How long a registry may take to say what a tag means; left out: 5 seconds. */
  readonly registryMs?: number
  /** Folders of nodes that volumes of type `host` may be in or below; left out: none. */
  readonly hostFolders?: readonly string[]
  /** How long a replica that leaves still answers; left out: 6 seconds. */
  readonly drainSeconds?: number
  /** For volumes of workloads that name none; left out: the cluster's own default. */
  readonly storageClass?: string
  /** How addresses of the cluster are reached from here; left out or `auto`: as it turns out. */
  readonly reach?: 'auto' | 'direct' | 'tunnel'
  /** Who may leave the namespace of its tenant, with manifests and charts; left out: nobody. */
  readonly allow?: Confinement
  /** Charts; left out: the engine has none. */
  readonly charts?: ChartOptions
  /** How long the server may take to answer one question. */
  readonly answerMs?: number
  /** From 0 up to 1. */
  readonly random?: () => number
}
