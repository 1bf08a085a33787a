/** The volume of memory that a replica's files lie in, and how it is seen: pure. */
import type { Mount } from '../api/types/containers.ts'
import type { CreateVolume } from '../api/types/volumes.ts'
import { filesFolder } from '../pause/image.ts'
import type { PlannedFile } from './plan.ts'

/** What a file takes at least, on a machine with the largest pages that there are. */
const page = 65_536

/**
 * Memory on the engine's side, wherever that is; there while a container that has it runs, and empty when one starts again.
 * Programs may be among the files, so they can be run; devices and other users' rights cannot be.
 */
export function filesVolume(
  name: string,
  labels: Readonly<Record<string, string>>,
  files: readonly PlannedFile[],
): CreateVolume {
  const contents = files.map(({ content }) => Math.ceil((content.revealBytes().length + 1) / page) * page)
  // Folders and the mark that it is filled take some too; what is not used is not taken.
  const size = contents.reduce((sum, bytes) => sum + bytes, 0) + 16 * page
  const DriverOpts = { type: 'tmpfs', device: 'tmpfs', o: `size=${size},mode=0700,nosuid,nodev` }
  return { Name: name, Driver: 'local', DriverOpts, Labels: labels }
}

/** For the holder. */
export function filesMount(volume: string): Mount {
  return { Type: 'volume', Source: volume, Target: filesFolder, VolumeOptions: { NoCopy: true } }
}

/**
 * For one service: a file each. By place on the engine's machine, since a mount from inside a volume needs API 1.45; the
 * engine makes such a container, and starts it, only while the files are there.
 */
export function fileMounts(
  files: readonly PlannedFile[],
  service: string,
  volume: { readonly Mountpoint: string },
): readonly Mount[] {
  return files
    .filter((file) => file.service === service)
    .map(({ at, target }) => ({
      Type: 'bind',
      Source: `${volume.Mountpoint}/${at}`,
      Target: target,
      ReadOnly: true,
    }))
}
