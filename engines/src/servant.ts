/** The account that engines run under when the rig itself is root: some refuse to be root, and none needs to be. */
import { spawnSync } from 'node:child_process'
import { Fault } from '@gantry/core'

export type Servant = { readonly uid: number; readonly gid: number }

let found: Servant | undefined

export function ownUid(): number {
  return process.getuid?.() ?? 0
}

/** Undefined when not root: then engines run as whoever runs the tests. */
export function servant(): Servant | undefined {
  if (process.getuid?.() !== 0) return undefined
  found ??= { uid: askId('-u'), gid: askId('-g') }
  return found
}

/** `id` knows accounts from wherever this machine keeps them. */
function askId(option: '-u' | '-g'): number {
  const { stdout, status, error } = spawnSync('id', [option, 'nobody'], { encoding: 'utf8' })
  if (status !== 0)
    throw new Fault('engine_refused', 'There is no account `nobody` to run engines under', { cause: error })
  return Number(stdout.trim())
}
