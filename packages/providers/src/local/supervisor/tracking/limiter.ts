/** Limits of a run, by control groups; and what it uses, where they count it. */
import { join } from 'node:path'
import { codeOf } from '../../../proc/processes.ts'
import type { LimitName, ProcessLimits } from '../process-spec.ts'
import type { Group } from '../process-state.ts'
import { isUsable, makeGroup, pidsIn, readGroupFile, writeGroupFile } from './group-files.ts'
import type { Hierarchy } from './hierarchies.ts'

export type GroupUsage = { readonly cpuMicros?: number; readonly memoryBytes?: number }

export interface Limiter {
  readonly enforces: readonly LimitName[]
  /** Where it makes groups of its own. */
  readonly bases: readonly string[]
  /** Puts the limits in force for all that is in the group now and for what it starts. Answers the group with what it made. */
  apply(group: Group, name: string, limits: ProcessLimits): Group
  usage(group: Group): GroupUsage
}

export const noLimiter: Limiter = { enforces: [], bases: [], apply: (group) => group, usage: groupUsage }

export const v2Controllers = ['cpu', 'memory', 'pids'] as const

const periodMicros = 100_000

/** The run's own group carries its limits. */
export const limiterV2: Limiter = {
  enforces: ['cpuMillis', 'memoryBytes', 'pids'],
  bases: [],
  apply(group, _name, { cpuMillis, memoryBytes, pids }) {
    const folder = group.folder
    if (folder === undefined) return group
    if (cpuMillis !== undefined) writeGroupFile(folder, 'cpu.max', `${quota(cpuMillis)} ${periodMicros}`)
    if (memoryBytes !== undefined) {
      writeGroupFile(folder, 'memory.max', String(memoryBytes))
      // Else what does not fit goes to swap, and a limit of memory limits nothing.
      writeIfThere(folder, 'memory.swap.max', '0')
    }
    if (pids !== undefined) writeGroupFile(folder, 'pids.max', String(pids))
    return group
  },
  usage: groupUsage,
}

/** The kernel refuses less than a millisecond per period. */
function quota(cpuMillis: number): number {
  return Math.max(1000, Math.round((cpuMillis * periodMicros) / 1000))
}

const controllerOf = { cpuMillis: 'cpu', memoryBytes: 'memory', pids: 'pids' } as const satisfies Record<
  LimitName,
  string
>

/** Each limit has a hierarchy of its own, which the processes of the run are moved into as well. */
export function limiterV1(all: readonly Hierarchy[], name: string): Limiter {
  const bases = new Map<LimitName, string>()
  for (const limit of Object.keys(controllerOf) as LimitName[]) {
    const hierarchy = all.find(({ controllers }) => controllers.includes(controllerOf[limit]))
    if (hierarchy && isUsable(join(hierarchy.home, name), hierarchy.home)) bases.set(limit, join(hierarchy.home, name))
  }
  return {
    enforces: [...bases.keys()],
    bases: [...bases.values()],
    apply(group, run, limits) {
      const folders: string[] = []
      for (const [limit, base] of bases) {
        const value = limits[limit]
        if (value === undefined) continue
        const folder = join(base, run)
        makeGroup(folder)
        folders.push(folder)
        // First the members, then the limit: one that is exceeded at once would refuse to take them in.
        moveAll(group, folder)
        writeLimit(folder, limit, value)
      }
      return { ...group, limitFolders: folders }
    },
    usage: groupUsage,
  }
}

/** Until nobody is left outside: what is born of one that was moved is born inside. */
function moveAll(group: Group, folder: string): void {
  for (let round = 0; round < 100; round += 1) {
    const inside = new Set(pidsIn(folder))
    const outside = pidsIn(group.folder ?? '').filter((pid) => !inside.has(pid))
    if (outside.length === 0) return
    for (const pid of outside) moveOne(folder, pid)
  }
}

function moveOne(folder: string, pid: number): void {
  try {
    writeGroupFile(folder, 'cgroup.procs', String(pid))
  } catch (error) {
    // It ended before it could be moved.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

function writeLimit(folder: string, limit: LimitName, value: number): void {
  if (limit === 'pids') {
    writeGroupFile(folder, 'pids.max', String(value))
  } else if (limit === 'cpuMillis') {
    writeGroupFile(folder, 'cpu.cfs_period_us', String(periodMicros))
    writeGroupFile(folder, 'cpu.cfs_quota_us', String(quota(value)))
  } else {
    writeGroupFile(folder, 'memory.limit_in_bytes', String(value))
    writeIfThere(folder, 'memory.memsw.limit_in_bytes', String(value))
  }
}

/** Counting swap is an option of the kernel. */
function writeIfThere(folder: string, file: string, value: string): void {
  if (readGroupFile(folder, file) !== undefined) writeGroupFile(folder, file, value)
}

function groupUsage(group: Group): GroupUsage {
  const cpu = group.folder === undefined ? undefined : readGroupFile(group.folder, 'cpu.stat')
  const cpuMicros = /^usage_usec (\d+)$/m.exec(cpu ?? '')?.[1]
  const memory = memoryOf(group)
  return {
    ...(cpuMicros !== undefined && { cpuMicros: Number(cpuMicros) }),
    ...(memory !== undefined && { memoryBytes: memory }),
  }
}

/** Without the pages that only cache files and would go first: as everybody else counts it. */
function memoryOf({ folder, limitFolders }: Group): number | undefined {
  for (const each of [...(folder === undefined ? [] : [folder]), ...limitFolders]) {
    const used = readGroupFile(each, 'memory.current') ?? readGroupFile(each, 'memory.usage_in_bytes')
    if (used === undefined) continue
    const stat = readGroupFile(each, 'memory.stat') ?? ''
    const cache = /^(?:total_)?inactive_file (\d+)$/m.exec(stat)?.[1] ?? '0'
    return Math.max(0, Number(used) - Number(cache))
  }
  return undefined
}
