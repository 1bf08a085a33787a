import type { ReplicaStatus } from './status.ts'

/** How often services of these replicas were started anew; a replica that was replaced takes its own count along. */
export function restartsOf(replicas: readonly ReplicaStatus[] | undefined): number | undefined {
  if (replicas === undefined) return undefined
  const services = replicas.flatMap((replica) => Object.values(replica.services))
  return services.reduce((sum, { restarts }) => sum + restarts, 0)
}
