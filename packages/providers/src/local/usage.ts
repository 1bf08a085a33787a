/** What an instance uses, out of what its processes use. A figure that one of them lacks is left out of the sum. */
import type { Usage } from '../usage.ts'
import type { ProcessUsage } from './supervisor/process-seen.ts'

export function usageOf(parts: readonly ProcessUsage[], diskBytes: number | undefined, now: number): Usage | undefined {
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
  }
}

/** `undefined` where one of them is not known: half a sum looks like a whole one. */
function sumOf(figures: readonly (number | undefined)[]): number | undefined {
  return figures.reduce((total, next) => (total === undefined || next === undefined ? undefined : total + next), 0)
}
