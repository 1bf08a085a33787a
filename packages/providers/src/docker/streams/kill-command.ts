/**
 * Docker has no way to end a command, so it is found by a mark in its environment, with all that it has started, where the
 * engine's processes are seen on this machine. Where they are not it is left running, and that is said.
 */
import { type Clock, sleep, withDeadline } from '@gantry/core'
import type { ExecExit } from '../../exec.ts'
import { bearersOf, execMarkerName } from '../../proc/marker.ts'
import { codeOf, type ProcessIdentity, sendSignal } from '../../proc/processes.ts'
import type { DockerApi } from '../api/api.ts'
import type { Exec } from '../api/types/exec.ts'

export type MarkedCommand = {
  readonly api: DockerApi
  readonly clock: Clock
  readonly exec: string
  readonly mark: string
}

/** How long a command may take to be seen, which may be only about to start, and to be gone. */
const patienceMs = 5_000
const firstLookMs = 5
const longestLookMs = 160

export const markOf = (mark: string): string => `${execMarkerName}=${mark}`

/** Rejects if the engine cannot be asked. Not ended by the caller, who has left already. */
export async function killCommand(command: MarkedCommand): Promise<ExecExit> {
  const { api, clock, exec } = command
  const call = withDeadline(clock, 4 * patienceMs, 'Killing a command', { signal: new AbortController().signal })
  try {
    const before = await api.execs.inspect(exec, call)
    if (before && !before.Running && before.ExitCode !== null) return { ended: 'exited', exitCode: before.ExitCode }
    let isKilled = false
    const until = clock.monotonic() + patienceMs
    for (let waitMs = firstLookMs; ; waitMs = Math.min(2 * waitMs, longestLookMs)) {
      isKilled = killHere(command.mark) || isKilled
      const after = await api.execs.inspect(exec, call)
      if (!after?.Running) return endOf(after, isKilled)
      if (clock.monotonic() >= until) return { ended: 'left_running' }
      await sleep(clock, waitMs, call)
    }
  } finally {
    call.clear()
  }
}

/** Of a container that is gone nothing runs any more. One that was not signalled has ended by itself: its input did. */
function endOf(after: Exec | undefined, isKilled: boolean): ExecExit {
  const exitCode = after?.ExitCode ?? null
  return isKilled || exitCode === null ? { ended: 'killed' } : { ended: 'exited', exitCode }
}

/**
 * True if any was: its mark is nobody else's, so what bears it is ours wherever the engine is. Again until nobody is left who
 * can be signalled, since a tree may grow while it is cut.
 */
function killHere(mark: string): boolean {
  for (let round = 0; round < 50; round += 1) {
    const signal = round === 0 ? 'SIGSTOP' : 'SIGKILL'
    const signalled = seenHere(mark).filter((each) => isSignalled(each, signal))
    if (signalled.length === 0) return round > 0
  }
  return true
}

function isSignalled(process: ProcessIdentity, signal: NodeJS.Signals): boolean {
  try {
    return sendSignal(process, signal)
  } catch (error) {
    // Seen, but not ours to signal.
    if (codeOf(error) === 'EPERM') return false
    throw error
  }
}

function seenHere(mark: string): ProcessIdentity[] {
  try {
    return bearersOf(execMarkerName, mark)
  } catch (error) {
    // A machine without /proc.
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
