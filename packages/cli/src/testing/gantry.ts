/** The program as users have it: the bundle as npm links it, as a process of its own. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const bundle = fileURLToPath(new URL('../../bin/gantry.cjs', import.meta.url))

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type Running = {
  readonly pid: number
  /** What it has written until now. */
  readonly stdout: () => string
  readonly stderr: () => string
  readonly end: (signal?: NodeJS.Signals) => void
  readonly done: Promise<Ran>
}

export type Surroundings = {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** What comes through standard input, which then ends. */
  readonly stdin?: string | Uint8Array
}

/** Through pipes: no terminal anywhere. */
export function start(args: readonly string[], { env = {}, cwd, stdin }: Surroundings = {}): Running {
  const child = spawn(process.execPath, [bundle, ...args], {
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes: Buffer) => (said.stdout += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (said.stderr += bytes.toString()))
  // A command that does not read its input to the end has that right.
  child.stdin.on('error', () => undefined)
  child.stdin.end(stdin ?? '')
  return {
    pid: child.pid ?? -1,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    end: (signal = 'SIGTERM') => void child.kill(signal),
    done: new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, ...said }))
    }),
  }
}

export function gantry(args: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  return start(args, surroundings).done
}
