/** How much the files of an instance take. */
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import { isErrno } from './errno.ts'
import type { LiveReplica } from './live-replica.ts'
import { instanceKey, type Places, replicaFolder, volumesFolder } from './places.ts'

/** To count more would cost more than the figure is worth. */
const mostEntries = 20_000

/** `undefined`: too many files to count. */
export async function diskBytes(
  places: Places,
  replicas: readonly LiveReplica[],
  { signal }: Call,
): Promise<number | undefined> {
  const folders = replicas.map(({ record }) => replicaFolder(places, record.engineId))
  const volumes = replicas.map(({ record: { volumesIn, ref } }) => volumesFolder(places, volumesIn ?? instanceKey(ref)))
  const waiting = [...folders, ...new Set(volumes)]
  let [bytes, entries] = [0, 0]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    signal.throwIfAborted()
    for (const entry of await entriesOf(folder)) {
      entries += 1
      if (entries > mostEntries) return undefined
      const path = join(folder, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else bytes += await sizeOf(path)
    }
  }
  return bytes
}

const entriesOf = (folder: string) => readdir(folder, { withFileTypes: true }).catch(ifGone([]))

const sizeOf = (path: string): Promise<number> => lstat(path).then(({ blocks }) => blocks * 512, ifGone(0))

/** Files come and go while they are counted. */
function ifGone<T>(answer: T): (error: unknown) => T {
  return (error) => {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return answer
    throw error
  }
}
