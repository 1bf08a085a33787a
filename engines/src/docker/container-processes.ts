/** For whoever looks past the daemon for what runs. */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DockerAddress } from './docker.ts'
import { namesFor } from './footprint.ts'
import { controlGroups, membersOf } from './processes.ts'

/** The processes of each container, by its id, also of one that the daemon knows nothing of. */
export async function containerProcesses({
  socket,
}: Pick<DockerAddress, 'socket'>): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const found = new Map<string, Set<number>>()
  for (const group of await controlGroups(namesFor(dirname(socket)).cgroup)) {
    for (const entry of await readdir(group, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue
      const pids = await membersOf(join(group, entry.name))
      if (pids.length > 0) found.set(entry.name, new Set([...(found.get(entry.name) ?? []), ...pids]))
    }
  }
  return found
}
