/** Pure: what a service may use, in the daemon's words. */
import { milliUnits, parseQuantity, wholeUnits } from '@gantry/core'
import type { DesiredService } from '../../desired.ts'
import type { HostConfig } from '../api/types/containers.ts'

export const limitNames = ['cpu', 'memory', 'pids', 'disk'] as const
export type LimitName = (typeof limitNames)[number]

export type Limits = Pick<
  HostConfig,
  'NanoCpus' | 'CpuShares' | 'Memory' | 'MemorySwap' | 'MemoryReservation' | 'PidsLimit'
>

/** Shares of a whole core, and the fewest there are. */
const sharesOfCore = 1024
const fewestShares = 2

/** What the daemon cannot hold to is not asked of it: it would say yes, and nothing would come of it. */
export function limitsOf({ resources, requests }: DesiredService, enforces: ReadonlySet<LimitName>): Limits {
  const limit = (name: 'cpu' | 'memory'): string | undefined => (enforces.has(name) ? resources[name] : undefined)
  const [cpu, memory] = [limit('cpu'), limit('memory')]
  const aside = requests.cpu ?? resources.cpu
  return {
    ...(cpu === undefined ? {} : { NanoCpus: millis(cpu) * 1_000_000 }),
    ...(aside === undefined ? {} : { CpuShares: shares(millis(aside)) }),
    // As much with swap as without: a limit that is half of what may be used is none.
    ...(memory === undefined ? {} : { Memory: bytesOf(memory), MemorySwap: bytesOf(memory) }),
    ...(requests.memory === undefined || !enforces.has('memory')
      ? {}
      : { MemoryReservation: bytesOf(requests.memory) }),
    ...(resources.pids === undefined || !enforces.has('pids') ? {} : { PidsLimit: resources.pids }),
  }
}

export const bytesOf = (quantity: string): number => Number(wholeUnits(parseQuantity(quantity)))

const millis = (quantity: string): number => Number(milliUnits(parseQuantity(quantity)))

const shares = (cpuMillis: number): number => Math.max(fewestShares, Math.round((cpuMillis * sharesOfCore) / 1000))
