/**
 * Docker has no way to end a command, so it is found by a mark in its environment, with all that it has started: on this
 * machine where the engine's processes can be seen, else from inside the container if that has a shell. Where neither finds it,
 * it is left running, and that is said.
 */
import { type Call, type Clock, sleep, withDeadline } from '@gantry/core'
import type { ExecExit } from '../../exec.ts'
import { bearersOf, execMarkerName } from '../../local/supervisor/marker.ts'
import { codeOf, sendSignal } from '../../local/supervisor/proc.ts'
import type { DockerApi } from '../api/api.ts'

export type MarkedCommand = {
  readonly api: DockerApi
  readonly clock: Clock
  readonly container: string
  readonly exec: string
  readonly mark: string
  readonly user?: string
}

/** How long a command may take to be gone. */
const patienceMs = 5_000
/** One that is seen on this machine is seen by then, also if it was only about to start. */
const insideAfterMs = 200
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
    let hasTriedInside = false
    for (let waitedMs = 0, waitMs = firstLookMs; ; waitedMs += waitMs, waitMs = Math.min(2 * waitMs, longestLookMs)) {
      const isSeen = killHere(command.mark)
      // Of a container that is gone nothing runs any more.
      if (!(await api.execs.inspect(exec, call))?.Running) return { ended: 'killed' }
      if (waitedMs >= patienceMs) return { ended: 'left_running' }
      if (!isSeen && !hasTriedInside && waitedMs >= insideAfterMs) {
        hasTriedInside = true
        await killInside(command, call)
      }
      await sleep(clock, waitMs, call)
    }
  } finally {
    call.clear()
  }
}

/**
 * True if it was seen: its mark is nobody else's, so what bears it is ours wherever the engine is. Again until nobody is
 * found, since a tree may grow while it is cut.
 */
function killHere(mark: string): boolean {
  for (let round = 0; round < 50; round += 1) {
    const found = seenHere(mark)
    if (found.length === 0) return round > 0
    for (const each of found) if (!signalled(each, round === 0 ? 'SIGSTOP' : 'SIGKILL')) return false
  }
  return true
}

function signalled(process: Parameters<typeof sendSignal>[0], signal: NodeJS.Signals): boolean {
  try {
    sendSignal(process, signal)
    return true
  } catch (error) {
    // Not ours to signal: then from inside.
    if (codeOf(error) === 'EPERM') return false
    throw error
  }
}

function seenHere(mark: string): ReturnType<typeof bearersOf> {
  try {
    return bearersOf(execMarkerName, mark)
  } catch (error) {
    // A machine without /proc.
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Told its mark as an argument, never as text of the script; its own environment does not have it. */
const script = `for round in 1 2 3; do
  for each in /proc/[0-9]*; do
    if grep -q "$1" "$each/environ" 2>/dev/null; then kill -9 "\${each#/proc/}" 2>/dev/null; fi
  done
done`

async function killInside({ api, container, mark, user }: MarkedCommand, call: Call): Promise<void> {
  const attached = { AttachStdin: false, AttachStdout: true, AttachStderr: true, Tty: false }
  const Cmd = ['sh', '-c', script, 'sh', markOf(mark)]
  const exec = await api.execs.create(
    container,
    { Cmd, ...attached, ...(user === undefined ? {} : { User: user }) },
    call,
  )
  const { output } = await api.execs.start(exec, { tty: false }, call)
  // Without a shell it says so and ends; what counts is whether the command is still there.
  for await (const frame of output) void frame
}
