/**
 * Every kubelet, proxy and container of a cluster watches files, and all of root's together may do so 128 times where nobody has
 * said otherwise: a few clusters, after which parts end that cannot (`too many open files`). So the machine is told to allow more.
 */
import { readFile, writeFile } from 'node:fs/promises'

const limit = '/proc/sys/fs/inotify/max_user_instances'
const enough = 2_048

/** Never less than there was. Says what it did, or why it could not: a cluster alone does with what there is. */
export async function allowWatchers(file: string = limit): Promise<string | undefined> {
  try {
    const before = Number(await readFile(file, 'utf8'))
    if (before >= enough) return undefined
    await writeFile(file, String(enough))
    return `${file} raised from ${before} to ${enough}`
  } catch (error) {
    return `${file} could not be raised: ${String(error)}`
  }
}
