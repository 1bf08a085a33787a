/** What one replica uses, summed over its services. */
export type ReplicaUsage = {
  readonly engineId: string
  readonly cpuMillis?: number
  readonly memoryBytes?: number
}

/** What an instance uses, summed over all services of all replicas. A figure the engine does not have is left out, never 0. */
export type Usage = {
  readonly at: Date
  /** Thousandths of one core. */
  readonly cpuMillis?: number
  /** Of what it may use; only where there is a limit. */
  readonly cpuPercent?: number
  readonly memoryBytes?: number
  readonly memoryLimitBytes?: number
  readonly diskBytes?: number
  readonly networkInBytes?: number
  readonly networkOutBytes?: number
  /** Each replica that runs by itself, where the engine can tell them apart. */
  readonly replicas?: readonly ReplicaUsage[]
}

/** What an engine has in all, and what is still free. */
export type Capacity = {
  readonly at: Date
  readonly cpuMillis?: { readonly total: number; readonly free?: number }
  readonly memoryBytes?: { readonly total: number; readonly free?: number }
  readonly gpus?: { readonly total: number; readonly free?: number }
}
