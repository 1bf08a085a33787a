/** What replicas use, out of what their containers have counted. */
import type { Call, Clock } from '@gantry/core'
import type { ReplicaUsage, Usage } from '../../usage.ts'
import type { DockerApi } from '../api/api.ts'
import { CpuRates } from './cpu-rates.ts'
import { DiskSizes } from './disk-sizes.ts'
import type { MakeUsageMeter, Measured } from './figures.ts'
import { type Reading, readingOf } from './readings.ts'

/** Each is read from several files, by a daemon that has other things to do. */
const atOnce = 16

export type Part = {
  readonly container: Measured
  readonly reading: Reading
  readonly cpuMillis: number | undefined
}

export const usageMeter: MakeUsageMeter = (api, clock) => {
  const rates = new CpuRates()
  const disks = new DiskSizes(api, clock)
  return {
    async usageOf(containers, call) {
      if (containers.length === 0) return undefined
      const [parts, diskBytes] = await Promise.all([looks(api, rates, containers, call), disks.bytes(containers, call)])
      rates.forget(clock.now())
      return sumOfParts(parts, diskBytes, clock)
    },
  }
}

async function looks(api: DockerApi, rates: CpuRates, containers: readonly Measured[], call: Call): Promise<Part[]> {
  const waiting = [...containers]
  const parts: Part[] = []
  const work = async (): Promise<void> => {
    for (let container = waiting.shift(); container; container = waiting.shift()) {
      const stats = await api.containers.stats(container.id, call)
      const reading = stats && readingOf(stats)
      if (!reading) continue
      const cpuMillis = rates.millis(container.id, reading, container.startedAt?.getTime())
      parts.push({ container, reading, cpuMillis })
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, containers.length) }, work))
  return parts
}

/** Pure. Of a replica that has ended but for its holder nothing is counted. */
export function sumOfParts(all: readonly Part[], diskBytes: number | undefined, clock: Clock): Usage | undefined {
  const working = all.filter(({ container }) => !container.holder)
  if (working.length === 0) return undefined
  const replicas = [...new Set(working.map(({ container }) => container.replica))].sort()
  const parts = all.filter(({ container }) => replicas.includes(container.replica))
  const cpuMillis = sumOf(parts.map((part) => part.cpuMillis))
  const cpuLimit = sumOf(working.map(({ container }) => container.cpuLimitMillis))
  const memoryLimitBytes = sumOf(working.map(({ container }) => container.memoryLimitBytes))
  const networks = parts.flatMap(({ reading }) => reading.network ?? [])
  return {
    at: new Date(clock.now()),
    ...figures(parts),
    ...(cpuMillis === undefined || !cpuLimit ? {} : { cpuPercent: (100 * cpuMillis) / cpuLimit }),
    ...(memoryLimitBytes === undefined ? {} : { memoryLimitBytes }),
    ...(diskBytes === undefined ? {} : { diskBytes }),
    ...(networks.length === 0
      ? {}
      : {
          networkInBytes: networks.reduce((total, { inBytes }) => total + inBytes, 0),
          networkOutBytes: networks.reduce((total, { outBytes }) => total + outBytes, 0),
        }),
    replicas: replicas.map((engineId) => ({
      engineId,
      ...figures(parts.filter(({ container }) => container.replica === engineId)),
    })),
  }
}

function figures(parts: readonly Part[]): Omit<ReplicaUsage, 'engineId'> {
  const cpuMillis = sumOf(parts.map((part) => part.cpuMillis))
  const memoryBytes = sumOf(parts.map(({ reading }) => reading.memoryBytes))
  return {
    ...(cpuMillis === undefined ? {} : { cpuMillis }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  }
}

/** `undefined` where one of them is not known: half a sum looks like a whole one. */
function sumOf(all: readonly (number | undefined)[]): number | undefined {
  return all.reduce((total, next) => (total === undefined || next === undefined ? undefined : total + next), 0)
}
