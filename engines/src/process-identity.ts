/** A process named so that another one that got its number later is never taken for it. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Call, type Clock, sleep } from '@gantry/core'

export type ProcessIdentity = {
  readonly pid: number
  /** When it started, in whatever words the system has for it: only ever compared. */
  readonly started: string
}

/** Undefined if there is no such process, or only the remains of one that nobody has waited for. */
export function identify(pid: number): ProcessIdentity | undefined {
  const started = process.platform === 'linux' ? startedByProc(pid) : startedByPs(pid)
  return started === undefined ? undefined : { pid, started }
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started
}

/** Ends exactly this process: sends each signal in turn, until it is gone. Resolves with whether it was still there. */
export async function endProcess(
  identity: ProcessIdentity,
  signals: readonly NodeJS.Signals[],
  { clock, patienceMs, signal }: Call & { readonly clock: Clock; readonly patienceMs: number },
): Promise<boolean> {
  if (!isAlive(identity)) return false
  for (const name of signals) {
    sendSignal(identity, name)
    const until = clock.monotonic() + patienceMs
    while (clock.monotonic() < until) {
      if (!isAlive(identity)) return true
      await sleep(clock, 20, { signal })
    }
  }
  throw new Error(`Process ${identity.pid} is still there after ${signals.join(', ')}`)
}

function sendSignal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    if (isAlive(identity)) process.kill(identity.pid, name)
  } catch (error) {
    // It went away between the look and the signal, which is all that was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function startedByProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in brackets, may itself hold spaces and brackets: the fields begin after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

function startedByPs(pid: number): string | undefined {
  const { stdout, status } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const [state, ...started] = (stdout ?? '').trim().split(/\s+/)
  return status !== 0 || !state || state.startsWith('Z') ? undefined : started.join(' ')
}
