/** Puts the files of a replica into its volume, through the holder that has it. */
import { posix } from 'node:path'
import { type Call, Fault, isFault } from '@gantry/core'
import { firstEntry } from '../../tar/read.ts'
import { type TarEntry, tarArchive } from '../../tar/write.ts'
import type { DockerApi } from '../api/api.ts'
import { filesFolder } from '../pause/image.ts'
import type { Owner } from './owner.ts'
import type { PlannedFile } from './plan.ts'

/** The last that is written: where it is, all others are. No service has such a name. */
const filledMark = '.filled'
const mostMarkBytes = 65_536

/**
 * Everything anew, each file of its service's owner. Only while the holder runs and none of the services does: one that has
 * a file goes on seeing the old one. Throws `service_not_running` where what was placed does not stay: the holder does not
 * run, or runs with a volume that the engine has let go of. Then it has to be started anew, and filled.
 */
export async function placeFiles(
  api: DockerApi,
  holder: string,
  files: readonly PlannedFile[],
  owners: Readonly<Record<string, Owner>>,
  call: Call,
): Promise<void> {
  await api.containers.putArchive(holder, filesFolder, tarArchive(entriesOf(files, owners)), call)
  if (await filesPlaced(api, holder, call)) return
  const message = `The files of holder ${holder} did not stay where they were put; start it anew, and place them again`
  throw new Fault('service_not_running', message)
}

/**
 * Whether all files are there for services to be made or started with. Not before they were placed, nor after the holder has
 * ended; and not after an engine older than 25 was started anew while containers went on (`live-restore`): it lets go of
 * volumes of memory then. Services that run keep their files all the same.
 */
export async function filesPlaced(api: DockerApi, holder: string, call: Call): Promise<boolean> {
  const container = await api.containers.inspect(holder, call)
  // Of one that does not run, the engine would show what it finds in an empty volume, or in the one of another day.
  if (!container?.State.Running) return false
  try {
    const mark = await api.containers.getArchive(holder, posix.join(filesFolder, filledMark), call)
    return 'content' in (await firstEntry(mark, mostMarkBytes))
  } catch (error) {
    if (isFault(error) && error.reason === 'engine_object_not_found') return false
    throw error
  }
}

export function entriesOf(files: readonly PlannedFile[], owners: Readonly<Record<string, Owner>>): readonly TarEntry[] {
  const folders = [...new Set(files.map(({ service }) => service))]
  return [
    ...folders.map((path) => ({ path, mode: 0o700 })),
    ...files.map(({ service, at, mode, content }) => ({
      path: at,
      mode,
      owner: ownerIn(owners, service),
      content: content.revealBytes(),
    })),
    { path: filledMark, mode: 0o400, content: Buffer.alloc(0) },
  ]
}

function ownerIn(owners: Readonly<Record<string, Owner>>, service: string): Owner {
  const owner = Object.hasOwn(owners, service) ? owners[service] : undefined
  if (owner) return owner
  throw new Fault('unexpected', `Nobody said whose the files of service ${service} are`)
}
