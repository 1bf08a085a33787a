/** A command that was started, with pipes or with a terminal: one shape for both. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Fault } from '@gantry/core/base'
import type { TerminalSize } from '../../../exec.ts'
import { codeOf } from '../../../proc/processes.ts'
import { isMissing } from '../spawn-process.ts'

export type ExecSpec = {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Record<string, string>
  readonly user?: { readonly uid: number; readonly gid: number }
}

export type ExecListener = {
  readonly output: (stream: 'stdout' | 'stderr', bytes: Buffer) => void
  /** It has ended and all that it wrote was handed over. */
  readonly ended: (exitCode: number) => void
}

export interface ExecChild {
  /** Undefined where it could not be started, which `ended` tells. */
  readonly pid: number | undefined
  write(bytes: Buffer, taken: () => void): void
  end(): void
  resize(size: TerminalSize): void
  pause(stream: 'stdout' | 'stderr'): void
  resume(stream: 'stdout' | 'stderr'): void
}

/** Background children may hold its pipes after it has ended; they are not waited for longer than this. */
const afterExitMs = 250

export function execWithPipes({ argv, cwd, env, user }: ExecSpec, stdin: boolean, listener: ExecListener): ExecChild {
  const [program = '', ...args] = argv
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
    ...(user && { uid: user.uid, gid: user.gid }),
  })
  let over = false
  const end = (code: number): void => {
    if (over) return
    over = true
    child.stdout?.destroy()
    child.stderr?.destroy()
    listener.ended(code)
  }
  child.stdout?.on('data', (bytes: Buffer) => listener.output('stdout', bytes))
  child.stderr?.on('data', (bytes: Buffer) => listener.output('stderr', bytes))
  // A command that does not read its input to the end has that right.
  child.stdin?.on('error', () => undefined)
  child.on('error', (error) => {
    if (child.pid !== undefined) return
    const missing = isMissing(error, { argv, cwd, env })
    listener.output(
      'stderr',
      Buffer.from(`${program}: ${missing ? 'not found' : `cannot be run (${codeOf(error)})`}\n`),
    )
    end(missing ? 127 : 126)
  })
  child.on('exit', (code, signal) => {
    const exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0)
    child.once('close', () => end(exitCode))
    setTimeout(() => end(exitCode), afterExitMs)
  })
  return {
    pid: child.pid,
    write(bytes, taken) {
      if (child.stdin?.writable) child.stdin.write(bytes, () => taken())
      else taken()
    },
    end: () => child.stdin?.end(),
    resize: () => undefined,
    pause: (stream) => void child[stream]?.pause(),
    resume: (stream) => void child[stream]?.resume(),
  }
}

/** Ctrl-D: what a terminal has in place of an end. */
const endOfInput = '\x04'

export type Terminals = typeof import('@lydell/node-pty')

/** Loaded when the first terminal is asked for: it is a native module, and not there on every machine. */
export async function terminals(): Promise<Terminals> {
  try {
    return await import('@lydell/node-pty')
  } catch (error) {
    throw new Fault(
      'capability_missing',
      'Terminals need the package @lydell/node-pty, which has no build for this machine',
      {
        cause: error,
      },
    )
  }
}

export function execWithTerminal(
  { argv, cwd, env, user }: ExecSpec,
  size: TerminalSize,
  { spawn: open }: Terminals,
  listener: ExecListener,
): ExecChild {
  const [program = '', ...args] = argv
  const terminal = open(program, args, {
    cwd,
    env: { TERM: 'xterm-256color', ...env },
    rows: size.rows,
    cols: size.columns,
    encoding: null,
    ...(user && { uid: user.uid, gid: user.gid }),
  })
  terminal.onData((data) => listener.output('stdout', Buffer.from(data as string | Uint8Array)))
  terminal.onExit(({ exitCode, signal }) => listener.ended(signal ? 128 + signal : exitCode))
  return {
    pid: terminal.pid,
    write(bytes, taken) {
      // Its types know of text only; bytes go through as they are.
      terminal.write(bytes as unknown as string)
      taken()
    },
    end: () => terminal.write(endOfInput),
    resize: ({ rows, columns }) => terminal.resize(columns, rows),
    pause: () => terminal.pause(),
    resume: () => terminal.resume(),
  }
}
