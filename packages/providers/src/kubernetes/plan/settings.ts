/** What planning must know of a cluster and of how we are set up there, as data: given once, when the engine is opened. */
export type PlanSettings = {
  readonly installation: string
  readonly namespaces: NamespaceChoice
  /** On everything we make, below a user's own and ours (`GANTRY_K8S_LABELS`). */
  readonly labels: Readonly<Record<string, string>>
  /** Secrets with registry accounts that are in the namespaces already (`GANTRY_K8S_IMAGE_PULL_SECRETS`). */
  readonly imagePullSecrets: readonly string[]
  /** Folders of nodes that volumes of type `host` may be in or below. */
  readonly hostFolders: readonly string[]
  /** How long a replica that leaves still answers, so that nobody is sent to it who would find it gone; 0: not at all. */
  readonly drainSeconds: number
  /** What nodes offer beside processors and memory, by name: `nvidia.com/gpu`. */
  readonly gpuResources: readonly string[]
  /** For volumes of workloads that name none; left out: the cluster's own default. */
  readonly storageClass?: string
  /** Of the server: `{ minor: 34 }` for 1.34. */
  readonly serverVersion: { readonly minor: number }
}

/** One namespace for each tenant, `<prefix>-<tenant>`, or one for all of them that somebody else looks after. */
export type NamespaceChoice = { readonly prefix: string } | { readonly shared: string }

/** Native sidecars are on by default from here on. */
export const sidecarMinor = 29
/** The kubelet's own sleep before a stop is on by default from here on. */
export const sleepMinor = 30

export const planDefaults = { prefix: 'gantry', drainSeconds: 6 } as const
