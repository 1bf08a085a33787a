/** Pure: what a service may use and what is set aside for it, exactly. */
import { formatQuantity, milliUnits, parseQuantity } from '@gantry/core'
import type { DesiredService } from '../../desired.ts'
import type { ResourceRequirements } from '../api/types/pods.ts'
import { wholeBytes } from './claimed-volumes.ts'

const usualGpu = 'nvidia.com/gpu'

/** What a graphics processor is called among a node's resources; `undefined`: that is no name of one. */
export function gpuResource({ type }: { readonly type: string }): string | undefined {
  if (type === '') return usualGpu
  return type.includes('/') ? type : undefined
}

export function resourcesOf({ resources, requests }: DesiredService): ResourceRequirements | undefined {
  const { cpu, memory, disk, gpu } = resources
  const limits = {
    ...(cpu === undefined ? {} : { cpu: wholeMillis(cpu) }),
    ...(memory === undefined ? {} : { memory: wholeBytes(memory) }),
    ...(disk === undefined ? {} : { 'ephemeral-storage': wholeBytes(disk) }),
    ...(gpu.count === 0 ? {} : { [gpuResource(gpu) ?? usualGpu]: String(gpu.count) }),
  }
  const [asideCpu, asideMemory] = [requests.cpu ?? cpu, requests.memory ?? memory]
  const aside = {
    ...(asideCpu === undefined ? {} : { cpu: wholeMillis(asideCpu) }),
    ...(asideMemory === undefined ? {} : { memory: wholeBytes(asideMemory) }),
  }
  const [hasLimits, hasAside] = [Object.keys(limits).length > 0, Object.keys(aside).length > 0]
  if (!hasLimits && !hasAside) return undefined
  return { ...(hasLimits ? { limits } : {}), ...(hasAside ? { requests: aside } : {}) }
}

const million = 1_000_000n

/** Nobody counts less than a thousandth of a processor. */
const wholeMillis = (quantity: string): string => formatQuantity(milliUnits(parseQuantity(quantity)) * million)
