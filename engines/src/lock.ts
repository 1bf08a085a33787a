/** A lock between processes as a file: it names its holder, and a dead holder's lock is broken, by exactly one process. */
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Call, type Clock, sleep } from '@gantry/core'
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts'

export type Lock = { readonly release: () => void }

type Claim = ProcessIdentity & { readonly token: string }

/** Takes the lock, or answers undefined because a living process holds it. */
export function tryLock(path: string): Lock | undefined {
  const self = identify(process.pid)
  if (self === undefined) throw new Error('This process cannot find itself among the processes of this machine')
  const claim: Claim = { ...self, token: randomUUID() }
  if (place(path, claim)) return { release: () => rmSync(path, { force: true }) }
  const found = read(path)
  if (found !== undefined && isAlive(found)) return undefined
  if (found !== undefined) breakStale(path, found)
  return place(path, claim) ? { release: () => rmSync(path, { force: true }) } : undefined
}

/** Waits for the lock until the signal says otherwise. */
export async function lock(path: string, { clock, signal }: Call & { readonly clock: Clock }): Promise<Lock> {
  for (;;) {
    signal.throwIfAborted()
    const held = tryLock(path)
    if (held) return held
    await sleep(clock, 50, { signal })
  }
}

/** The living process that holds the lock, if any. */
export function lockHolder(path: string): ProcessIdentity | undefined {
  const found = read(path)
  return found !== undefined && isAlive(found) ? { pid: found.pid, started: found.started } : undefined
}

/** The name appears with its content already in it, so that nobody ever reads half a claim. */
function place(path: string, claim: Claim): boolean {
  const draft = `${path}.${claim.token}.draft`
  writeFileSync(draft, JSON.stringify(claim), { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function read(path: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Claim
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Two processes may find the same dead claim, and the slower one must not remove the lock that the faster one has made
 * since. So breaking a claim is done under a lock named after that very claim, and only if it still stands.
 */
function breakStale(path: string, stale: Claim): void {
  const breaking = tryLock(`${path}.${stale.token}`)
  if (!breaking) return
  try {
    if (read(path)?.token === stale.token) rmSync(path)
  } finally {
    breaking.release()
  }
}
