/** Where a path of a service leads: into a volume, onto the machine, or into what it keeps for itself. */
import type { VolumeOwner } from '../volume-owner.ts'
import type { SimProcess, SimReplica } from './objects.ts'
import type { SimulatedWorld } from './world.ts'

export const volumeKey = (index: number, name: string): string => `${index}/${name}`

/** Where the volumes of an instance are, and of all that had its name before. */
export const volumesKey = ({ installation, ref: { tenant, workload, slot } }: VolumeOwner): string =>
  `${installation} ${tenant} ${workload} ${slot}`

type Place = { readonly files: Map<string, string>; readonly key: string }

export function placeOf(world: SimulatedWorld, replica: SimReplica, process: SimProcess, path: string): Place {
  const mount = process.spec.volumes.find((volume) => path === volume.path || path.startsWith(`${volume.path}/`))
  if (!mount) {
    process.files ??= new Map()
    return { files: process.files, key: path }
  }
  const inside = path.slice(mount.path.length)
  if (mount.type === 'host') return { files: world.host, key: `${mount.source ?? ''}${inside}` }
  const volume = world.volumes.get(volumesKey(replica.instance))?.get(volumeKey(replica.index, mount.name))
  if (mount.type === 'persistent' && volume) return { files: volume.files, key: inside }
  // Ephemeral and in memory: shared by the services of the replica that name it, and gone with it.
  const [first] = replica.services.values()
  const holder = first ?? process
  holder.files ??= new Map()
  return { files: holder.files, key: `volume:${mount.name}${inside}` }
}

/** What was put there for the service, with its permissions; secrets and config files are never written to. */
export function givenFile(
  process: SimProcess,
  path: string,
): { readonly text: string; readonly mode: string } | undefined {
  const config = process.spec.configFiles.find((file) => file.path === path)
  if (config) return { text: config.content, mode: config.mode.replace(/^0/, '') }
  const secret = process.spec.secrets.find(({ file }) => file === path)
  return secret && { text: secret.value.reveal(), mode: '400' }
}
