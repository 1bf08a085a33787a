/** Every process of an instance, written down on disk as it starts, so that whoever comes after a crash can end it. */
import { type ChildProcess, type SpawnOptions as SpawnSettings, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { parse } from 'node:path'
import { type Call, type Clock, Fault } from '@gantry/core'
import type { SpawnOptions } from '../engine.ts'
import { endProcess, identify, isAlive, type ProcessIdentity } from '../process-identity.ts'

const patienceMs = 8_000

export function spawnRecorded(
  record: string,
  program: string,
  args: readonly string[],
  { env, output, as, umask }: SpawnOptions,
): ChildProcess {
  const log = openSync(output, 'a', 0o600)
  try {
    const options: SpawnSettings = {
      // Not in a folder that may be removed while it runs.
      cwd: parse(program).root,
      env: { ...env },
      stdio: ['ignore', log, log],
      ...(as ? { uid: as.uid, gid: as.gid } : {}),
    }
    const child = underMask(umask, () => spawn(program, args, options))
    const identity = child.pid === undefined ? undefined : identify(child.pid)
    if (identity) write(record, [...recorded(record).filter(isAlive), identity])
    return child
  } finally {
    closeSync(log)
  }
}

/** A child begins with the mask of its parent: ours is another one for as long as it takes to start it. */
function underMask<Made>(umask: number | undefined, make: () => Made): Made {
  if (umask === undefined) return make()
  const ours = process.umask(umask)
  try {
    return make()
  } finally {
    process.umask(ours)
  }
}

/** Ends what an earlier keeper left running; what has ended by itself, or only has the same number, is let be. */
export async function endRecorded(
  record: string,
  signals: readonly NodeJS.Signals[],
  call: Call & { readonly clock: Clock },
): Promise<number> {
  const ended = await Promise.all(recorded(record).map((one) => endProcess(one, signals, { ...call, patienceMs })))
  return ended.filter(Boolean).length
}

/** Resolves when the child is gone: how it ended, in words. Rejects if it never came to be. */
export function childEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(inWords(child.exitCode, child.signalCode))
    child.once('exit', (code, signal) => resolve(inWords(code, signal)))
    child.once('error', (cause) => {
      reject(new Fault('engine_refused', `Cannot run ${child.spawnfile}: ${cause.message}`, { cause }))
    })
  })
}

function inWords(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ? `ended by ${signal}` : `exited with code ${code}`
}

function recorded(record: string): ProcessIdentity[] {
  try {
    return JSON.parse(readFileSync(record, 'utf8')) as ProcessIdentity[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function write(record: string, processes: readonly ProcessIdentity[]): void {
  writeFileSync(`${record}.draft`, JSON.stringify(processes), { mode: 0o600 })
  renameSync(`${record}.draft`, record)
}
