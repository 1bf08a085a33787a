/** What the kernel says of processes. A process is a pid and when it started: another that got its pid later is not it. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

export type ProcessIdentity = {
  readonly pid: number
  /** Boot and clock ticks: only ever compared. */
  readonly started: string
}

export type ProcessStat = ProcessIdentity & {
  readonly state: string
  readonly parent: number
  readonly session: number
  /** Of itself and of the children it has waited for, in clock ticks. */
  readonly cpuTicks: number
}

export const ticksPerSecond = 100

let boot: string | undefined

function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return boot
}

/** Undefined if there is no such process, or only the remains of one that nobody has waited for. */
export function statOf(pid: number): ProcessStat | undefined {
  const stat = rawStat(pid)
  return stat === undefined || stat.state === 'Z' || stat.state === 'X' ? undefined : stat
}

/** Also of one that has ended but was not waited for: of a child just started there is always this. */
export function rawStat(pid: number): ProcessStat | undefined {
  const text = readProc(`/proc/${pid}/stat`)?.toString('latin1')
  if (text === undefined) return undefined
  // The name, in brackets, may itself hold spaces and brackets: the fields begin after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const number = (at: number): number => Number(fields[at])
  return {
    pid,
    started: `${bootId()} ${fields[19]}`,
    state: fields[0] ?? '?',
    parent: number(1),
    session: number(3),
    cpuTicks: number(11) + number(12) + number(13) + number(14),
  }
}

export function isAlive(identity: ProcessIdentity): boolean {
  return statOf(identity.pid)?.started === identity.started
}

/** Sends a signal to exactly this process. False if it is not there any more. */
export function sendSignal(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false
  try {
    return process.kill(identity.pid, signal)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false
    throw error
  }
}

/** Waits until it is gone. False if it was still there at the end of the patience. */
export async function untilGone(identity: ProcessIdentity, patienceMs: number): Promise<boolean> {
  const until = performance.now() + patienceMs
  while (isAlive(identity)) {
    if (performance.now() >= until) return false
    await pause(10)
  }
  return true
}

export function allPids(): number[] {
  const pids: number[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (Number.isInteger(pid)) pids.push(pid)
  }
  return pids
}

/** What it was given as environment; undefined where we may not look. Some programs write over it. */
export function environOf(pid: number): Buffer | undefined {
  return readProc(`/proc/${pid}/environ`)
}

/** Absent and not allowed to look are both nothing to go by here: whoever asks decides on what was found. */
export function readProc(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR', 'ENODEV'].includes(codeOf(error))) return undefined
    throw error
  }
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? ''
}
