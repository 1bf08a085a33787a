/** Runs one command for one connection: within the group of its process, and killed whole when whoever asked is gone. */
import { randomBytes } from 'node:crypto'
import { Fault } from '@gantry/core/base'
import type { TerminalSize } from '../../../exec.ts'
import { bearersOf, execMarkerName } from '../../../proc/marker.ts'
import { sendSignal } from '../../../proc/processes.ts'
import type { ProcessState } from '../process-state.ts'
import type { SecretValues } from '../secret-shelf.ts'
import { environmentOf } from '../spawn-process.ts'
import type { Tracking } from '../tracking/tracking.ts'
import type { ExecAsk, ExecInput, ExecOutput } from '../wire/protocol.ts'
import { type ExecChild, type ExecListener, execWithPipes, execWithTerminal, terminals } from './exec-child.ts'

/** So much may be on its way before the reader has taken any of it. */
const window = 512 << 10

export type RunningExec = {
  input(frame: ExecInput): void
  /** Ends it whole; it is not told how that went. */
  abandon(): void
}

export async function runExec(
  ask: ExecAsk,
  state: ProcessState,
  secrets: SecretValues | undefined,
  tracking: Tracking,
  send: (event: ExecOutput) => void,
): Promise<RunningExec> {
  const { group, main, spec } = state
  if (!group || !main)
    throw new Fault('service_not_running', `The process ${spec.id} does not run, so no command can be run in it`)
  const mark = randomBytes(12).toString('hex')
  const env = { ...environmentOf(spec, secrets, group.marker), ...ask.env, [execMarkerName]: mark }
  const what = { argv: ask.argv, cwd: spec.cwd, env, ...(spec.user && { user: spec.user }) }
  const ahead = { stdout: 0, stderr: 0 }
  let killed = false
  let over = false
  const listener: ExecListener = {
    output(stream, bytes) {
      ahead[stream] += bytes.length
      if (ahead[stream] > window) child.pause(stream)
      send({ stream, bytes: bytes.toString('base64') })
    },
    ended(exitCode) {
      over = true
      send({ exit: killed ? { ended: 'killed' } : { ended: 'exited', exitCode } })
    },
  }
  const child = await start(ask.tty)
  send({ started: true })
  return {
    input(frame) {
      if ('write' in frame) child.write(Buffer.from(frame.write, 'base64'), () => send({ taken: true }))
      if ('end' in frame) child.end()
      if ('resize' in frame) child.resize(frame.resize)
      if ('kill' in frame) kill()
      if ('read' in frame) {
        ahead[frame.read] -= frame.bytes
        if (ahead[frame.read] <= window) child.resume(frame.read)
      }
    },
    abandon: kill,
  }

  async function start(tty: TerminalSize | undefined): Promise<ExecChild> {
    const pty = tty && (await terminals())
    await tracking.settled()
    return tracking.enter(group as NonNullable<typeof group>, () =>
      tty && pty ? execWithTerminal(what, tty, pty, listener) : execWithPipes(what, ask.stdin, listener),
    )
  }

  /** Again until nobody is found: a tree may grow while it is cut. */
  function kill(): void {
    killed ||= !over
    for (let round = 0; round < 50; round += 1) {
      const found = bearersOf(execMarkerName, mark)
      if (found.length === 0) return
      for (const each of found) sendSignal(each, round === 0 ? 'SIGSTOP' : 'SIGKILL')
    }
  }
}
