/** Puts the files of a replica into its volume, through the holder that has it. */
import { posix } from 'node:path'
import { type Call, Fault, isFault } from '@gantry/core'
import type { DockerApi } from '../api/api.ts'
import { filesFolder } from '../pause/image.ts'
import { type TarEntry, tarArchive } from '../tar/write.ts'
import type { Owner } from './owner.ts'
import type { PlannedFile } from './plan.ts'

/** The last that is written: where it is, all others are. No service has such a name. */
const filledMark = '.filled'

/**
 * Everything anew, each file of its service's owner. Only while the holder runs and none of the services does: one that has
 * a file goes on seeing the old one. Throws `service_not_running` where the holder does not run, since what is put into a
 * volume that nobody has is lost.
 */
export async function placeFiles(
  api: DockerApi,
  holder: string,
  files: readonly PlannedFile[],
  owners: Readonly<Record<string, Owner>>,
  call: Call,
): Promise<void> {
  await api.containers.putArchive(holder, filesFolder, tarArchive(entriesOf(files, owners)), call)
  if (!(await filesPlaced(api, holder, call))) {
    throw new Fault('service_not_running', `The holder ${holder} ended while its files were placed`)
  }
}

/** Whether all files are there: not before they were placed, and no more after the holder has ended. */
export async function filesPlaced(api: DockerApi, holder: string, call: Call): Promise<boolean> {
  const state = (await api.containers.inspect(holder, call))?.State
  if (!state?.Running) return false
  try {
    // Read to its end, so that the connection is free again.
    for await (const _ of await api.containers.getArchive(holder, posix.join(filesFolder, filledMark), call));
    return true
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
