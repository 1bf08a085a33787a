/** Pure: what one look at the counters of a container says. */
import type { ContainerStats } from '../api/types/containers.ts'

export type Reading = {
  /** By the engine's clock. */
  readonly at: number
  /** Since the container was started. */
  readonly cpuNanos: number
  /** Without files that are only kept in memory because there is room. `undefined`: not counted here. */
  readonly memoryBytes: number | undefined
  /** `undefined`: it has no network of its own. */
  readonly network: { readonly inBytes: number; readonly outBytes: number } | undefined
}

/** `undefined` where it does not run: the engine then answers without a time. */
export function readingOf(stats: ContainerStats): Reading | undefined {
  const at = Date.parse(stats.read)
  if (!(at > 0)) return undefined
  return {
    at,
    cpuNanos: stats.cpu_stats.cpu_usage.total_usage,
    memoryBytes: memoryOf(stats.memory_stats),
    network: networkOf(stats.networks),
  }
}

/** As `docker stats` counts it. Groups of version 1 have two figures, and the one with the whole tree is `total_`. */
function memoryOf({ usage, stats = {} }: ContainerStats['memory_stats']): number | undefined {
  if (usage === undefined) return undefined
  const files = stats.total_inactive_file ?? stats.inactive_file ?? 0
  return files < usage ? usage - files : usage
}

function networkOf(networks: ContainerStats['networks']): Reading['network'] {
  const all = Object.values(networks ?? {})
  if (all.length === 0) return undefined
  return {
    inBytes: all.reduce((total, { rx_bytes }) => total + rx_bytes, 0),
    outBytes: all.reduce((total, { tx_bytes }) => total + tx_bytes, 0),
  }
}
