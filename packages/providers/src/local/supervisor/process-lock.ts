/** One supervisor per data folder: a file that names its holder, and is worth nothing once that process is gone. */
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Fault } from '@gantry/core/base'
import { codeOf, isAlive, type ProcessIdentity, statOf } from '../../proc/processes.ts'

type Claim = ProcessIdentity & { readonly token: string }

/** Takes it, or answers undefined because a living process holds it. */
export function takeLock(path: string): { readonly release: () => void } | undefined {
  const self = statOf(process.pid)
  if (!self) throw new Fault('capability_missing', 'The supervisor needs /proc, which this machine does not show')
  const claim: Claim = { pid: self.pid, started: self.started, token: randomUUID() }
  const held = {
    release: () => {
      // The folder may have been deleted and made anew, by somebody who holds it now.
      if (read(path)?.token === claim.token) rmSync(path, { force: true })
    },
  }
  if (place(path, claim)) return held
  const found = read(path)
  if (found !== undefined && isAlive(found)) return undefined
  if (found !== undefined) breakDead(path, found)
  return place(path, claim) ? held : undefined
}

/** The living process that holds it, if any. */
export function lockHolder(path: string): ProcessIdentity | undefined {
  const found = read(path)
  return found !== undefined && isAlive(found) ? { pid: found.pid, started: found.started } : undefined
}

/** The name appears with its content already in it, so that nobody ever reads half a claim. */
function place(path: string, claim: Claim): boolean {
  const draft = `${path}.${claim.token}`
  writeFileSync(draft, JSON.stringify(claim), { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function read(path: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Claim
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    // A claim is linked whole, so half a one is what a machine that lost power has left: nobody's.
    if (error instanceof SyntaxError) return { pid: 0, started: '', token: 'torn' }
    throw error
  }
}

/** The slower of two that find the same dead claim must not remove the faster one's new claim: one breaks at a time. */
function breakDead(path: string, dead: Claim): void {
  const breaking = takeLock(`${path}.break-${dead.token}`)
  if (!breaking) return
  try {
    if (read(path)?.token === dead.token) rmSync(path)
  } finally {
    breaking.release()
  }
}
