/** What runs of a cluster, and what of it is left in the control groups: found past its containerd, which may be dead. */
import { readdir, readFile, readlink, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { removeGroup } from '../docker/clear.ts'
import { controlGroups } from '../docker/processes.ts'
import { identify, type ProcessIdentity } from '../process-identity.ts'
import { standIn } from './places.ts'

/** Where containerd puts its containers, in the control groups and among its own files. */
const namespace = 'k8s.io'

/** Every process that sees files of this cluster in a view of its own: parts, what holds containers, all that is in them. */
export async function clusterProcesses(folder: string): Promise<ProcessIdentity[]> {
  const ours = await readlink('/proc/self/ns/mnt')
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const isOfCluster = await Promise.all(
    pids.map(async (pid) => {
      const view = await readlink(`/proc/${pid}/ns/mnt`).catch(gone)
      // Whatever was mounted where everybody sees it, nobody there is ended for that.
      if (view === '' || view === ours) return false
      return sees(await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(gone), folder)
    }),
  )
  return pids.filter((_, at) => isOfCluster[at]).flatMap((pid) => identify(pid) ?? [])
}

/** From the system's own listing: its folders stand in for others, or its containers' files lie over each other. */
export function sees(mountinfo: string, folder: string): boolean {
  return mountinfo.includes(`${folder}/`)
}

/** Containers that were killed from outside have nobody to take their groups away. */
export async function removeGroups(folder: string): Promise<void> {
  const containers = await runningContainers(folder)
  for (const group of await controlGroups(namespace)) {
    for (const container of containers) await removeGroup(join(group, container))
    // The one above is shared with other clusters: whoever is last takes it away.
    await rmdir(group).catch(stillUsed)
  }
}

/** Those that run now, or did when it all ended: by their ids. */
export async function runningContainers(folder: string): Promise<string[]> {
  const tasks = join(standIn(folder, 'run'), 'containerd', 'io.containerd.runtime.v2.task', namespace)
  return (await readdir(tasks).catch(absent)) ?? []
}

/** It went away while it was looked at, or never had a view of its own. */
function gone(error: NodeJS.ErrnoException): string {
  if (['ENOENT', 'ESRCH', 'EINVAL', 'EACCES'].includes(error.code ?? '')) return ''
  throw error
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function stillUsed(error: NodeJS.ErrnoException): void {
  if (!['ENOENT', 'EBUSY', 'ENOTEMPTY'].includes(error.code ?? '')) throw error
}
