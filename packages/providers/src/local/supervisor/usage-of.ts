/** What a tree uses: what its control groups have counted, else the sum over its processes. */
import { type ProcessIdentity, rawStat, readProc, ticksPerSecond } from '../../proc/processes.ts'
import type { ProcessUsage } from './process-seen.ts'
import type { ProcessState } from './process-state.ts'
import type { GroupUsage } from './tracking/limiter.ts'

export type UsageBefore = { readonly run: number; readonly at: number; readonly cpuMicros: number }

export function usageOf(
  state: ProcessState,
  members: readonly ProcessIdentity[],
  counted: GroupUsage,
  now: number,
  before: UsageBefore | undefined,
): ProcessUsage {
  const cpuMicros = counted.cpuMicros ?? summed(members, cpuOf)
  const memoryBytes = counted.memoryBytes ?? summed(members, memoryOf)
  const since = before?.run === state.run ? before : { at: state.startedAt ?? now, cpuMicros: 0 }
  const elapsedMicros = (now - since.at) * 1000
  // A child that ended without being waited for takes its share with it, where nobody has counted it.
  const used = cpuMicros === undefined ? undefined : Math.max(0, cpuMicros - since.cpuMicros)
  const { memoryBytes: memoryLimit, cpuMillis: cpuLimit } = state.spec.limits ?? {}
  return {
    id: state.spec.id,
    at: new Date(now),
    ...(cpuMicros !== undefined && { cpuMicros }),
    ...(used !== undefined && elapsedMicros > 0 && { cpuMillis: Math.round((used * 1000) / elapsedMicros) }),
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(memoryLimit !== undefined && !state.notEnforced.includes('memoryBytes') && { memoryLimitBytes: memoryLimit }),
    ...(cpuLimit !== undefined && !state.notEnforced.includes('cpuMillis') && { cpuLimitMillis: cpuLimit }),
    processes: members.length,
  }
}

/** Undefined when it is known of none of them, which is not the same as nothing. */
function summed(members: readonly ProcessIdentity[], of: (pid: number) => number | undefined): number | undefined {
  const figures = members.flatMap(({ pid }) => of(pid) ?? [])
  return figures.length === 0 ? undefined : figures.reduce((sum, each) => sum + each, 0)
}

function cpuOf(pid: number): number | undefined {
  const ticks = rawStat(pid)?.cpuTicks
  return ticks === undefined ? undefined : (ticks * 1_000_000) / ticksPerSecond
}

/** Its share of what it shares with others, so that a sum counts no page twice; else all that is resident. */
function memoryOf(pid: number): number | undefined {
  const share = /^Pss:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/smaps_rollup`)?.toString() ?? '')?.[1]
  if (share !== undefined) return Number(share) * 1024
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`)?.toString() ?? '')?.[1]
  return resident === undefined ? undefined : Number(resident) * 1024
}
