/** What a cluster has room for: what its nodes offer to pods, summed over those that take any. */
import { type Clock, milliUnits, readQuantity, wholeUnits } from '@gantry/core'
import type { Capacity } from '../../usage.ts'
import type { NodeSeen } from '../observe/seen.ts'

/** Names under which nodes offer graphics processors. */
export const gpuResources = ['nvidia.com/gpu', 'amd.com/gpu', 'gpu.intel.com/i915', 'gpu.intel.com/xe'] as const

/** Pure. What is still free is nobody's to tell without all pods of the cluster, so it is left out. */
export function capacityOf(nodes: readonly NodeSeen[], clock: Pick<Clock, 'now'>): Capacity {
  const taking = nodes.filter(({ ready, schedulable }) => ready && schedulable)
  const cpu = sum(taking, 'cpu', milliUnits)
  const memory = sum(taking, 'memory', wholeUnits)
  const gpus = gpuResources.map((name) => sum(taking, name, wholeUnits) ?? 0).reduce((total, next) => total + next, 0)
  return {
    at: new Date(clock.now()),
    ...(cpu === undefined ? {} : { cpuMillis: { total: cpu } }),
    ...(memory === undefined ? {} : { memoryBytes: { total: memory } }),
    ...(gpus > 0 ? { gpus: { total: gpus } } : {}),
  }
}

/** Pure: which of them some node has. */
export const gpusOffered = (nodes: readonly NodeSeen[]): readonly string[] =>
  gpuResources.filter((name) => nodes.some(({ allocatable }) => Number(allocatable[name] ?? 0) > 0))

function sum(nodes: readonly NodeSeen[], name: string, count: (quantity: bigint) => bigint): number | undefined {
  const amounts = nodes.flatMap(({ allocatable }) => readQuantity(allocatable[name] ?? '') ?? [])
  return amounts.length === 0 ? undefined : amounts.reduce((total, next) => total + Number(count(next)), 0)
}
