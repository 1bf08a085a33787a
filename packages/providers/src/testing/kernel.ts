/** What the kernel says of processes: read past every engine, from /proc and the control groups. */
import { readFileSync } from 'node:fs'
import type { TruthService } from '../contract/harness.ts'

export function isAlive(pid: number): boolean {
  return !['', 'Z', 'X'].includes(/\) (\S)/.exec(readOrEmpty(`/proc/${pid}/stat`))?.[1] ?? '')
}

/** The limits that hold for a process. */
export function limitsOf(pid: number): TruthService['limits'] {
  const folder = groupsOf(pid)
  const quota = number(`${folder('cpu')}/cpu.cfs_quota_us`)
  const period = number(`${folder('cpu')}/cpu.cfs_period_us`)
  const [max, per] = readOrEmpty(`${folder('cpu')}/cpu.max`)
    .trim()
    .split(' ')
    .map(Number)
  const cpu = quota !== undefined && period ? (1000 * quota) / period : max && per ? (1000 * max) / per : undefined
  const memory = number(`${folder('memory')}/memory.limit_in_bytes`) ?? number(`${folder('memory')}/memory.max`)
  const pids = number(`${folder('pids')}/pids.max`)
  return {
    ...(cpu === undefined || cpu <= 0 ? {} : { cpuMillis: cpu }),
    ...(memory === undefined || memory > 2 ** 60 ? {} : { memoryBytes: memory }),
    ...(pids === undefined ? {} : { pids }),
  }
}

/** All processes in the same control group as this one, which is one of them. */
export function groupMembers(pid: number): number[] {
  return readOrEmpty(`${groupsOf(pid)('pids')}/cgroup.procs`)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [Number(line)]))
}

export function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(readOrEmpty(`/proc/${pid}/stat`))?.[1])
}

/** Processes and their files come and go while we look. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** From the name of a controller to the folder in which it keeps the figures of this process. */
function groupsOf(pid: number): (controller: string) => string {
  const groups = readOrEmpty(`/proc/${pid}/cgroup`)
    .trim()
    .split('\n')
    .map((line) => line.split(':'))
  return (controller) => {
    const v1 = groups.find(([, controllers]) => controllers?.split(',').includes(controller))
    if (v1) return `/sys/fs/cgroup/${controller}${v1[2]}`
    const v2 = groups.find(([id]) => id === '0')
    return `/sys/fs/cgroup${v2?.[2] ?? ''}`
  }
}

function number(path: string): number | undefined {
  const value = Number.parseInt(readOrEmpty(path), 10)
  return Number.isNaN(value) ? undefined : value
}
