/** Starting one process of a spec, and what is said if it cannot be. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { markerName } from '../../proc/marker.ts'
import { codeOf } from '../../proc/processes.ts'
import type { ProcessSpec } from './process-spec.ts'
import type { StateProblem } from './process-state.ts'
import type { SecretValues } from './secret-shelf.ts'

type Startable = Pick<ProcessSpec, 'argv' | 'cwd' | 'env' | 'user'>

export function environmentOf(
  spec: Startable,
  secrets: SecretValues | undefined,
  marker: string,
): Record<string, string> {
  const plain = Object.entries(secrets ?? {}).map(([name, secret]) => [name, secret.reveal()] as const)
  return { ...spec.env, ...Object.fromEntries(plain), [markerName]: marker }
}

/** In a session of its own, so that no signal meant for the supervisor's terminal reaches it. */
export function spawnProcess(
  spec: Startable,
  env: Record<string, string>,
  output: { readonly stdout: number | undefined; readonly stderr: number | undefined },
): ChildProcess {
  const [program, ...args] = spec.argv
  if (program === undefined) throw new TypeError('a spec has a program')
  return spawn(program, args, {
    cwd: spec.cwd,
    env,
    stdio: ['ignore', output.stdout ?? 'ignore', output.stderr ?? 'ignore'],
    detached: true,
    ...(spec.user && { uid: spec.user.uid, gid: spec.user.gid }),
  })
}

export function problemOf(error: unknown, spec: Startable, since: number): StateProblem {
  const program = spec.argv[0] ?? ''
  const code = codeOf(error)
  if (code === 'ENOENT' && !isFolder(spec.cwd)) {
    return { reason: 'folder_missing', message: `The folder ${spec.cwd} to run in is not there: make it`, since }
  }
  if (isMissing(error, spec)) {
    const where = program.includes('/') ? '' : ' in its PATH'
    return {
      reason: 'program_missing',
      message: `The program ${program} is not there${where}: install it, or correct the command`,
      since,
    }
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const who = spec.user ? `user ${spec.user.uid}:${spec.user.gid}` : 'our user'
    return {
      reason: 'program_forbidden',
      message: `The program ${program} may not be run in ${spec.cwd} by ${who}: make it executable and the folders on the way passable, or run as another user`,
      since,
    }
  }
  const why = error instanceof Error ? error.message : String(error)
  return { reason: 'not_started', message: `The program ${program} could not be started: ${why}`, since }
}

/** Whether it is the program that is not there. A folder of the PATH that lets nobody in hides that it is in none. */
export function isMissing(error: unknown, { argv, cwd, env }: Startable): boolean {
  const [program = ''] = argv
  if (codeOf(error) !== 'EACCES' || program.includes('/')) return codeOf(error) === 'ENOENT'
  return !(env.PATH ?? '').split(':').some((folder) => existsSync(resolve(cwd, folder, program)))
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // Whatever the reason: it cannot be run in.
    return false
  }
}
