/** Figures of simulated processes: small for one that waits, a whole core (or its limit) for one that burns. */
import { milliUnits, parseQuantity, wholeUnits } from '@gantry/core'
import type { Usage } from '../usage.ts'
import type { SimInstance, SimProcess } from './objects.ts'

const idleMillis = 1
const idleBytes = 2 ** 20

export function usageOf({ replicas }: SimInstance, now: number): Usage | undefined {
  const runningBy = [...replicas.values()].map(({ id, services }) => ({ id, running: runningOf(services) }))
  const running = runningBy.flatMap((replica) => replica.running)
  if (running.length === 0) return undefined
  const cpuMillis = sum(running.map(cpuOf))
  const cpuLimits = running.map(({ spec }) => spec.resources.cpu).filter((cpu) => cpu !== undefined)
  const memoryLimits = running.map(({ spec }) => spec.resources.memory).filter((memory) => memory !== undefined)
  const limited = cpuLimits.length === running.length
  return {
    at: new Date(now),
    cpuMillis,
    ...(limited ? { cpuPercent: (100 * cpuMillis) / sum(cpuLimits.map(millis)) } : {}),
    memoryBytes: running.length * idleBytes,
    ...(memoryLimits.length === running.length
      ? { memoryLimitBytes: sum(memoryLimits.map((memory) => Number(wholeUnits(parseQuantity(memory))))) }
      : {}),
    diskBytes: sum(running.flatMap(({ files }) => [...(files?.values() ?? [])].map((text) => text.length))),
    replicas: runningBy
      .filter((replica) => replica.running.length > 0)
      .map(({ id, running: own }) => ({
        engineId: id,
        cpuMillis: sum(own.map(cpuOf)),
        memoryBytes: own.length * idleBytes,
      })),
  }
}

function runningOf(services: ReadonlyMap<string, SimProcess>): SimProcess[] {
  return [...services.values()].filter(({ phase, startedAt }) => startedAt !== undefined && phase === 'running')
}

function cpuOf({ program, spec }: SimProcess): number {
  const limit = spec.resources.cpu === undefined ? 1000 : millis(spec.resources.cpu)
  return program.burnsCpu ? Math.min(1000, limit) : idleMillis
}

const millis = (cpu: string): number => Number(milliUnits(parseQuantity(cpu)))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, next) => total + next, 0)
