/** What an instance uses, out of what its processes use. A figure that one of them lacks is left out of the sum. */
import type { ReplicaUsage, Usage } from '../usage.ts'
import type { ProcessUsage } from './supervisor/process-seen.ts'

/** `owners`: the replica of each process, by the engine's ids of both. */
export function usageOf(
  parts: readonly ProcessUsage[],
  owners: ReadonlyMap<string, string>,
  diskBytes: number | undefined,
  now: number,
): Usage | undefined {
  if (parts.length === 0) return undefined
  const cpuMillis = sumOf(parts.map((part) => part.cpuMillis))
  const cpuLimit = sumOf(parts.map((part) => part.cpuLimitMillis))
  const memoryBytes = sumOf(parts.map((part) => part.memoryBytes))
  const memoryLimitBytes = sumOf(parts.map((part) => part.memoryLimitBytes))
  return {
    at: new Date(now),
    ...(cpuMillis === undefined ? {} : { cpuMillis }),
    ...(cpuMillis === undefined || !cpuLimit ? {} : { cpuPercent: (100 * cpuMillis) / cpuLimit }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(memoryLimitBytes === undefined ? {} : { memoryLimitBytes }),
    ...(diskBytes === undefined ? {} : { diskBytes }),
    replicas: [...new Set(owners.values())].flatMap((engineId) => {
      const own = parts.filter(({ id }) => owners.get(id) === engineId)
      return own.length === 0 ? [] : [replicaUsage(engineId, own)]
    }),
  }
}

function replicaUsage(engineId: string, parts: readonly ProcessUsage[]): ReplicaUsage {
  const cpuMillis = sumOf(parts.map((part) => part.cpuMillis))
  const memoryBytes = sumOf(parts.map((part) => part.memoryBytes))
  return {
    engineId,
    ...(cpuMillis === undefined ? {} : { cpuMillis }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  }
}

/** `undefined` where one of them is not known: half a sum looks like a whole one. */
function sumOf(figures: readonly (number | undefined)[]): number | undefined {
  return figures.reduce((total, next) => (total === undefined || next === undefined ? undefined : total + next), 0)
}
