/** The folder of one run of helm: what it is given and what it says, for our eyes only, and gone when it is over. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bearersOf, markerName } from '../../../proc/marker.ts'
import { codeOf, isAlive, type ProcessIdentity, statOf } from '../../../proc/processes.ts'
import { placesIn, type RunPlaces } from '../command/environment.ts'

export const isMark = (name: string): boolean => /^[\w-]{1,64}$/.test(name)

export async function makeRunFolder(root: string, mark: string): Promise<RunPlaces> {
  const places = placesIn(join(root, mark))
  await mkdir(root, { recursive: true, mode: 0o700 })
  await mkdir(places.folder, { mode: 0o700 })
  for (const folder of [places.home, places.temporary]) await mkdir(folder, { mode: 0o700 })
  const own = statOf(process.pid)
  await writePrivate(places.owner, JSON.stringify({ pid: process.pid, started: own?.started ?? '' }))
  return places
}

/** Values may be secrets, and so are accounts: nobody else reads them. */
export async function writePrivate(path: string, content: string | Uint8Array): Promise<string> {
  await writeFile(path, content, { mode: 0o600, flag: 'wx' })
  return path
}

export async function removeRunFolder(root: string, mark: string): Promise<void> {
  if (isMark(mark)) await rm(join(root, mark), { recursive: true, force: true })
}

/** What a helm said on its errors, also one of a life before; undefined where there is nothing to read. */
export async function saidBy(root: string, mark: string): Promise<string | undefined> {
  if (!isMark(mark)) return undefined
  try {
    return await readFile(placesIn(join(root, mark)).errors, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const staleMs = 24 * 3_600_000

/** What runs of a life before have left: all but their words, which may still be asked for, and those too after a day. */
export async function sweepRuns(root: string, now: number): Promise<void> {
  for (const mark of await namesIn(root)) {
    const places = placesIn(join(root, mark))
    if (!isMark(mark) || bearersOf(markerName, mark).length > 0 || (await isOwned(places))) continue
    const { mtimeMs } = await stat(places.folder)
    if (now - mtimeMs > staleMs) {
      await rm(places.folder, { recursive: true, force: true })
      continue
    }
    for (const name of await namesIn(places.folder)) {
      const path = join(places.folder, name)
      if (path !== places.errors) await rm(path, { recursive: true, force: true })
    }
  }
}

/** Whoever made it lives, and may be about to begin a helm in it. */
async function isOwned({ owner }: RunPlaces): Promise<boolean> {
  try {
    return isAlive(JSON.parse(await readFile(owner, 'utf8')) as ProcessIdentity)
  } catch {
    // Not written yet, or cut off by a death: the same look again, after the next start, tells which.
    return false
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}
