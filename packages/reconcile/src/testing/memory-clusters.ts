/** Clusters in memory: whether there is a way into one, and which are registered. */
import type { ClusterConfig } from '../provisioners/cluster-scope.ts'
import type { Pass } from '../provisioners/provisioner.ts'
import type { ClusterDriver, ClusterSource } from '../provisioners/remote/cluster-source.ts'
import { done, type Result, waiting } from '../results/result.ts'

export class MemoryClusters implements ClusterDriver {
  readonly registered = new Map<string, ClusterConfig>()
  /** Every call, in order: `register blue`, `unregister blue`. */
  readonly journal: string[] = []
  /** Whether the clusters answer when they are about to be registered. */
  answering = true

  async register(id: string, config: ClusterConfig, { signal }: Pass): Promise<Result> {
    signal.throwIfAborted()
    this.journal.push(`register ${id}`)
    if (!this.registered.has(id) && !this.answering) return waiting('', `${id} to answer`)
    this.registered.set(id, config)
    return done()
  }

  async unregister(id: string, { signal }: Pass): Promise<void> {
    signal.throwIfAborted()
    this.journal.push(`unregister ${id}`)
    this.registered.delete(id)
  }
}

export class MemoryClusterSource implements ClusterSource {
  readonly id: string
  kubeconfig: ClusterConfig | undefined
  looks = 0

  constructor(id: string, kubeconfig: ClusterConfig | undefined) {
    this.id = id
    this.kubeconfig = kubeconfig
  }

  async config({ signal }: Pass): Promise<ClusterConfig | undefined> {
    signal.throwIfAborted()
    this.looks += 1
    return this.kubeconfig
  }
}
