/** Pure: the volumes of a replica, and how its services see them. */
import type { VolumeSpec } from '@gantry/core'
import type { Desired, DesiredService } from '../../desired.ts'
import { engineLabel, labelsOf } from '../../labels.ts'
import type { Mount } from '../api/types/containers.ts'
import type { CreateVolume } from '../api/types/volumes.ts'
import { persistentVolume, replicaVolume } from '../names.ts'
import { bytesOf } from './limits.ts'

/** The name that the spec has for a volume. */
export const volumeLabel = 'gantry.dev/volume'
export const retainLabel = 'gantry.dev/retain'

type Placed = { readonly engineId: string; readonly index: number }

/** One per name, however many services share it; folders of the machine are there already. */
function named(desired: Desired, type: VolumeSpec['type']): VolumeSpec[] {
  const all = desired.services.flatMap(({ volumes }) => volumes).filter((volume) => volume.type === type)
  return [...new Map(all.map((volume) => [volume.name, volume])).values()]
}

/** Those that outlive the replica. */
export function persistentVolumes(desired: Desired, index: number): CreateVolume[] {
  return named(desired, 'persistent').map(({ name, retain }) => ({
    Name: persistentVolume(desired, index, name),
    Driver: 'local',
    Labels: { ...labelsOf(desired, { replica: index }), [volumeLabel]: name, [retainLabel]: String(retain) },
  }))
}

/** Those that go with it. What lies in memory is there while a container that has it runs. */
export function passingVolumes(desired: Desired, { engineId, index }: Placed): CreateVolume[] {
  const labels = { ...labelsOf(desired, { replica: index }), [engineLabel]: engineId }
  const volume = ({ name }: VolumeSpec): CreateVolume => ({
    Name: replicaVolume(engineId, name),
    Driver: 'local',
    Labels: { ...labels, [volumeLabel]: name },
  })
  const inMemory = named(desired, 'memory').map((spec) => {
    const size = spec.size === undefined ? '' : `size=${bytesOf(spec.size)},`
    return { ...volume(spec), DriverOpts: { type: 'tmpfs', device: 'tmpfs', o: `${size}mode=1777,nosuid,nodev` } }
  })
  return [...named(desired, 'ephemeral').map(volume), ...inMemory]
}

export function volumeMounts(desired: Desired, service: DesiredService, placed: Placed): Mount[] {
  return service.volumes.map(({ type, name, path: Target, source }) =>
    type === 'host'
      ? { Type: 'bind', Source: source ?? '', Target }
      : { Type: 'volume', Source: sourceOf(desired, type, name, placed), Target },
  )
}

/** The holder has what lies in memory too, so that it is still there when a service is started again. */
export function heldMounts(desired: Desired, placed: Placed): Mount[] {
  return named(desired, 'memory').map(({ name }) => ({
    Type: 'volume',
    Source: replicaVolume(placed.engineId, name),
    Target: `/held/${name}`,
  }))
}

const sourceOf = (desired: Desired, type: VolumeSpec['type'], name: string, { engineId, index }: Placed): string =>
  type === 'persistent' ? persistentVolume(desired, index, name) : replicaVolume(engineId, name)
