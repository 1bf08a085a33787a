/**
 * Where root runs the server, workloads run as users of their own. A folder below root's home, which lets nobody through,
 * would be no place for their program; so it is copied to one that is.
 */
import { copyFile, lstat, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Fault, hashOf } from '@gantry/core'

export const programFiles = ['server.mjs'] as const

/** The folder to run the program in: the given one wherever others may pass, else a copy that they may read. */
export async function reachableFolder(
  folder: string,
  data: string,
  uid: number,
  base = '/var/lib/gantry',
): Promise<string> {
  if (uid !== 0 || (await isReachable(folder))) return folder
  const place = join(base, `hello-${hashOf(data).slice(0, 12)}`)
  await mkdir(place, { recursive: true, mode: 0o755 })
  const found = await lstat(place)
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o022) !== 0) {
    throw new Fault('foreign_object', `The folder ${place} is somebody else's, or open to others; remove it`)
  }
  for (const file of programFiles) await copyFile(join(folder, file), join(place, file))
  return place
}

/** Whether others may pass through the folder and all above it. */
async function isReachable(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}
