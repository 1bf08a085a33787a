/** From a user to an engine: through the keeper that is there, or through one started now. */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Call, type Clock, Fault, isFault, sleep } from '@gantry/core'
import type { Settings } from '../engine.ts'
import { makePassable } from '../folder.ts'
import { lockHolder } from '../lock.ts'
import { identify, isAlive, type ProcessIdentity } from '../process-identity.ts'
import { type Link, linkTo } from './link.ts'
import { type Ask, keeperFiles, type Outcome } from './protocol.ts'

export type Wanted = {
  readonly engine: string
  readonly kind: 'shared' | 'private'
  readonly folder: string
  readonly settings?: Settings
  readonly ask: Extract<Ask, { ask: 'use' | 'hold' }>
}

/** Losing the race for a folder, or meeting a keeper that is just leaving, is ordinary; more than this is not. */
const mostKeepers = 5
/** A hand-over between two test files should find the engine still there. */
const sharedGraceMs = 3_000

/** The keeper's word on the engine, and the connection that holds it. */
export async function reachEngine(
  wanted: Wanted,
  { clock, signal }: Call & { readonly clock: Clock },
): Promise<{ outcome: Outcome; link: Link }> {
  let keeper: ProcessIdentity | undefined
  let started = 0
  for (;;) {
    signal.throwIfAborted()
    const reached = await askKeeper(wanted, signal)
    if (reached) return reached
    const busy = lockHolder(join(wanted.folder, keeperFiles.lock)) ?? keeper
    if (!busy || !isAlive(busy)) {
      if (started === mostKeepers) throw keeperFailed(wanted)
      keeper = startKeeper(wanted)
      started += 1
    }
    await sleep(clock, 25, { signal })
  }
}

async function askKeeper(
  { folder, ask }: Wanted,
  signal: AbortSignal,
): Promise<{ outcome: Outcome; link: Link } | undefined> {
  const link = await linkTo(folder)
  if (!link) return undefined
  try {
    const answer = await link.ask(ask, { signal })
    if (answer.state === 'ready' || answer.state === 'missing') return { outcome: answer, link }
    throw new Fault('unexpected', 'The keeper gave an answer of another kind', { detail: JSON.stringify(answer) })
  } catch (error) {
    link.close()
    // It was just leaving.
    if (isFault(error, 'unavailable')) return undefined
    throw error
  }
}

/** Detached: it outlives the process that happened to come first, for the sake of the others. */
function startKeeper({ engine, kind, folder, settings = {} }: Wanted): ProcessIdentity | undefined {
  // The same place seen from the sources and from the build.
  const program = fileURLToPath(new URL('../../dist/keeper/main.js', import.meta.url))
  if (!existsSync(program)) throw new Fault('engine_unreachable', 'The rig is not built; run: npx tsc -b engines')
  makePassable(folder)
  const log = openLog(join(folder, keeperFiles.log))
  try {
    const graceMs = kind === 'private' ? 0 : (process.env.GANTRY_ENGINES_GRACE_MS ?? sharedGraceMs)
    const args = [program, engine, kind, folder, String(graceMs), JSON.stringify(settings)]
    const child = spawn(process.execPath, args, {
      cwd: parse(program).root,
      detached: true,
      stdio: ['ignore', log, log],
      env: keeperEnv(process.env),
    })
    child.unref()
    return child.pid === undefined ? undefined : identify(child.pid)
  } finally {
    closeSync(log)
  }
}

/** Kept over many lives of an engine, but not forever. */
function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return openSync(path, size > 1_000_000 ? 'w' : 'a', 0o600)
}

/** Nothing of the test runner's own settings may reach a process that serves other runners too. */
export function keeperEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const strange = (name: string): boolean => /^(NODE_OPTIONS|NODE_V8_COVERAGE|NODE_CHANNEL_.*|VITEST.*)$/.test(name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !strange(name)))
}

function keeperFailed({ engine, folder }: Wanted): Fault {
  const log = join(folder, keeperFiles.log)
  const detail = existsSync(log) ? readFileSync(log, 'utf8').slice(-4_000) : 'no log'
  const message = `The keeper of ${engine} ended ${mostKeepers} times before it served; its log is ${log}`
  return new Fault('engine_unreachable', message, { detail })
}
