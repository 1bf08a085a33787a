/** Starting a supervisor that outlives us. Many may try at once: the lock on the folder lets one of them stay. */
import { spawn } from 'node:child_process'
import { chownSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault } from '@gantry/core/base'
import { codeOf } from '../../../proc/processes.ts'
import { type Folders, foldersOf } from '../folders.ts'
import type { TrackBy } from '../tracking/choose.ts'

export type LaunchOptions = {
  readonly trackBy: TrackBy
  readonly idleMs: number
  readonly version: string
  /** Where the supervisor is to run as another user than ours, which only root can. */
  readonly user?: { readonly uid: number; readonly gid: number }
}

/** A log that has grown larger begins anew with the next start. */
const longestLog = 1 << 20

/** A heap that stays small: it holds little, and lives long. */
const runtimeFlags = ['--max-semi-space-size=1', '--max-old-space-size=128']

/** Only what it needs: the environment of a server may hold secrets, and nothing of it reaches a process anyway. */
const passedOn = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'XDG_RUNTIME_DIR']

export function launchSupervisor(dataDir: string, { trackBy, idleMs, version, user }: LaunchOptions): void {
  const folders = foldersOf(dataDir)
  mkdirSync(dirname(folders.log), { recursive: true, mode: 0o700 })
  const log = openLog(folders)
  if (user) for (const path of [dirname(folders.log), folders.log]) chownSync(path, user.uid, user.gid)
  try {
    const env = Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
    const child = spawn(process.execPath, [...runtimeFlags, programFile(), dataDir, trackBy, String(idleMs), version], {
      detached: true,
      stdio: ['ignore', log, log],
      cwd: '/',
      env,
      ...user,
    })
    // That it did not start is noticed by nobody answering, and its log says why.
    child.on('error', () => undefined)
    child.unref()
  } finally {
    closeSync(log)
  }
}

function openLog({ log }: Folders): number {
  try {
    return openSync(log, statSync(log).size > longestLog ? 'w' : 'a', 0o600)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return openSync(log, 'a', 0o600)
    throw error
  }
}

/** Beside this file when built; run from its sources, the program is taken from the build. */
function programFile(): string {
  const here = fileURLToPath(new URL('../supervisor-main.js', import.meta.url))
  const built = here.replace(/([\\/])src([\\/]local[\\/]supervisor[\\/])/, '$1dist$2')
  for (const file of [here, built]) if (existsSync(file)) return file
  throw new Fault('unexpected', 'The program of the supervisor is not built: run npm run build', { detail: built })
}
