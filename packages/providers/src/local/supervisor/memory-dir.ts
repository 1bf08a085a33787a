/** A folder of ours that lives in memory: for what must outlive a process, but never be on a disk. */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../proc/processes.ts'

/** tmpfs and ramfs, as statfs(2) names them. */
const inMemory = new Set([0x01021994, 0x858458f6])

/** Undefined where this machine has no such storage that we may write to. */
export function memoryDir(dataDir: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const uid = process.getuid?.() ?? 0
  const name = `gantry-${uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const bases = [env.XDG_RUNTIME_DIR, `/run/user/${uid}`, ...(uid === 0 ? ['/run'] : []), '/dev/shm']
  for (const base of bases) {
    if (!base || !isInMemory(base)) continue
    const own = join(base, name)
    if (makeOwn(own, uid)) return own
  }
  return undefined
}

/** Beside ours, which lets nobody else pass: for files of processes that run as other users. */
export const passableMemoryDir = (folder: string): string => `${folder}-run`

/** Takes both away if nothing is in them any more: who keeps secrets there still needs them. */
export function releaseMemoryDir(folder: string | undefined): void {
  if (folder === undefined) return
  removeIfEmpty(passableMemoryDir(folder))
  if (removeIfEmpty(join(folder, 'env'))) removeIfEmpty(folder)
}

/** With all that is in them: for when nobody can come back for it. */
export function wipeMemoryDir(folder: string | undefined): void {
  if (folder === undefined) return
  for (const each of [passableMemoryDir(folder), folder]) rmSync(each, { recursive: true, force: true })
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY') return false
    if (codeOf(error) !== 'ENOENT') throw error
  }
  return true
}

function isInMemory(folder: string): boolean {
  try {
    return inMemory.has(statfsSync(folder).type)
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(codeOf(error))) return false
    throw error
  }
}

/** The parent may be open to everybody, so what has our name there is ours only if it really is. */
function makeOwn(folder: string, uid: number): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return false
  }
  const found = lstatSync(folder)
  return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0
}
