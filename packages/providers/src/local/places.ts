/** Pure: where things lie. Records are in the data folder; what processes must reach is in the run folder. */
import { dirname, join } from 'node:path'
import { hashOf } from '@gantry/core'
import type { Ref } from '../ref.ts'
import type { VolumeOwner } from '../volume-owner.ts'
import type { ReplicaRecord } from './records.ts'

export type Places = {
  readonly records: string
  readonly run: string
  /** A folder in memory; `undefined`: this machine has none, and secrets lie in the run folder. */
  readonly memory: string | undefined
}

/** `reachable`: whether others may pass through this folder and all above it. */
export function runFolder(dataDir: string, root: boolean, reachable: (folder: string) => boolean): string {
  if (!root) return join(dataDir, 'local')
  // A home of root's lets nobody through, so that nothing below it could be run as somebody else.
  if (reachable(dirname(dataDir))) return `${dataDir}-run`
  return join('/var/lib/gantry', hashOf(dataDir).slice(0, 12))
}

export const instanceKey = ({ uid, slot }: Pick<Ref, 'uid' | 'slot'>): string => `${uid}-${slot}`

export const replicaFolder = ({ run }: Places, engineId: string): string => join(run, 'replicas', engineId)

/** What a service sees as the root of its files: volumes, config files and secrets of its spec lie below it. */
export const rootFolder = (places: Places, engineId: string, service: string): string =>
  join(replicaFolder(places, engineId), 'services', service)

/** Gone with the replica, and forgotten by the machine when it is switched off, where it has such storage. */
export const memoryFolder = (places: Places, engineId: string): string =>
  places.memory === undefined ? join(replicaFolder(places, engineId), 'memory') : join(places.memory, engineId)

/** The same for all who ever have this name, so that what one leaves is found by the next. No name has a dot in it. */
export const volumesKey = ({ installation, ref: { tenant, workload, slot } }: VolumeOwner): string =>
  `${tenant}.${workload}.${slot}.${hashOf(installation).slice(0, 8)}`

export const volumesFolder = ({ run }: Places, key: string): string => join(run, 'volumes', key)

export const persistentFolder = (places: Places, key: string, index: number, name: string): string =>
  join(volumesFolder(places, key), String(index), name)

export type VolumeOf = Pick<ReplicaRecord, 'engineId' | 'ref' | 'index' | 'volumesIn'>
export type PlacedVolume = { readonly name: string; readonly type: string; readonly source?: string | undefined }

/** The folder behind a volume. Persistent ones are the replica's by its number, and outlive it. */
export function volumeFolder(places: Places, of: VolumeOf, volume: PlacedVolume): string {
  if (volume.type === 'host') return volume.source ?? ''
  const { engineId, ref, index, volumesIn = instanceKey(ref) } = of
  if (volume.type === 'persistent') return persistentFolder(places, volumesIn, index, volume.name)
  if (volume.type === 'memory') return join(memoryFolder(places, engineId), 'volumes', volume.name)
  return join(replicaFolder(places, engineId), 'volumes', volume.name)
}

/** The supervisor's id of a service's process. */
export const processId = (engineId: string, service: string): string => `${engineId}.${service}`
