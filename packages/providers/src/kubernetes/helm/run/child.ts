/** Starts helm. What it says goes into files, so that it can go on when we die: a pipe without a reader would end it. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Call, Fault, onAbort } from '@gantry/core'
import { wordsOf } from '../outcome.ts'

export type HelmStart = {
  readonly program: string
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  /** Files, which must not be there yet. */
  readonly output: string
  readonly errors: string
}

export type HelmChild = {
  readonly pid: number
  /** Null: ended by a signal. Never rejects. */
  readonly ended: Promise<number | null>
  readonly kill: () => void
  /** It no longer keeps this process from ending. */
  readonly leave: () => void
}

/** Resolves when it runs, in a session of its own: an interrupt at our terminal is not meant for it. */
export function startHelm({ program, argv, env, folder, ...files }: HelmStart): Promise<HelmChild> {
  const output = openSync(files.output, 'wx', 0o600)
  const errors = openSync(files.errors, 'wx', 0o600)
  try {
    const child = spawn(program, argv, {
      cwd: folder,
      env,
      stdio: ['ignore', output, errors],
      detached: true,
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    return new Promise((resolve, reject) => {
      child.once('error', (cause) =>
        reject(new Fault('capability_missing', `${program} could not be started: ${cause.message}`, { cause })),
      )
      child.once('spawn', () =>
        resolve({ pid: child.pid ?? 0, ended, kill: () => child.kill('SIGKILL'), leave: () => child.unref() }),
      )
    })
  } finally {
    closeSync(output)
    closeSync(errors)
  }
}

/** A short one that changes nothing: its output, or `engine_rejected` with its own words. An abort kills it. */
export async function askHelm(start: HelmStart, { signal }: Call): Promise<string> {
  signal.throwIfAborted()
  const child = await startHelm(start)
  const leave = onAbort(signal, child.kill)
  const code = await child.ended.finally(leave)
  signal.throwIfAborted()
  if (code === 0) return await readFile(start.output, 'utf8')
  const words = wordsOf(await readFile(start.errors, 'utf8'))
  const why = reasonIn(await readFile(start.output, 'utf8'))
  throw new Fault('engine_rejected', `helm ${start.argv[0]} failed: ${words || `exit code ${code}`}${why}`)
}

/** Why a repository could not be read is told on its output alone, set in by a tab. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').flatMap((line) => /^\t(.+)$/.exec(line)?.[1] ?? [])
  return lines.length === 0 ? '' : `: ${lines.join('; ').slice(0, 500)}`
}
