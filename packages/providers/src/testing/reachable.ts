/**
 * A program where everybody can run it. Where root runs the tests, services run as other users, and a checkout or a Node below
 * root's home lets nobody through: then it is put once into a folder that does.
 */
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The file itself where others may pass through all folders above it, else a copy. A module has to need nothing beside it. */
export function reachable(file: string): string {
  const uid = process.getuid?.()
  if (uid !== 0 || isReachable(dirname(file))) return file
  const folder = join(tmpdir(), `gantry-reachable-${uid}`)
  mkdirSync(folder, { recursive: true })
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== uid) throw new Error(`${folder} is somebody else's; remove it`)
  chmodSync(folder, 0o755)
  const { size, mtimeMs } = statSync(file)
  const name = createHash('sha256').update(`${file} ${size} ${mtimeMs}`).digest('hex').slice(0, 16)
  // Away from the package that says so, only its name tells that it is a module.
  const copy = join(folder, `${name}-${basename(file).replace(/\.js$/, '.mjs')}`)
  if (!existsSync(copy)) {
    const fresh = `${copy}.${process.pid}`
    copyFileSync(file, fresh)
    chmodSync(fresh, 0o755)
    renameSync(fresh, copy)
  }
  return copy
}

/** Whether a user without any rights may pass through the folder and all above it. */
export function isReachable(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false
  return dirname(folder) === folder || isReachable(dirname(folder))
}
