/** Pure: what was seen of a workload on its engines, and its newest sample, as figures. */
import type { WorkloadFigures } from '../workload-metrics.ts'
import type { Sample } from './sample-store.ts'
import type { Seen } from './sampler.ts'

export function figuresOf({ tenant, workload, observed }: Seen, sample: Sample | undefined): WorkloadFigures {
  const replicas = observed.flatMap((instance) => instance.replicas)
  const services = replicas.flatMap((replica) => Object.values(replica.services))
  return {
    tenant,
    workload,
    replicas: replicas.length,
    ready: replicas.filter(({ ready }) => ready).length,
    restarts: services.reduce((sum, { restarts }) => sum + restarts, 0),
    cpuMillis: sample?.cpuMillis,
    memoryBytes: sample?.memoryBytes,
  }
}
