/** Pure: where things lie. Records are in the data folder; what processes must reach is in the run folder. */
import { dirname, join } from 'node:path'
import { hashOf } from '@gantry/core'
import type { Ref } from '../ref.ts'

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

export const volumesFolder = ({ run }: Places, ref: Pick<Ref, 'uid' | 'slot'>): string =>
  join(run, 'volumes', instanceKey(ref))

export type VolumeOf = { readonly engineId: string; readonly ref: Ref; readonly index: number }
export type PlacedVolume = { readonly name: string; readonly type: string; readonly source?: string | undefined }

/** The folder behind a volume. Persistent ones are the replica's by its number, and outlive it. */
export function volumeFolder(places: Places, { engineId, ref, index }: VolumeOf, volume: PlacedVolume): string {
  if (volume.type === 'host') return volume.source ?? ''
  if (volume.type === 'persistent') return join(volumesFolder(places, ref), String(index), volume.name)
  if (volume.type === 'memory') return join(memoryFolder(places, engineId), 'volumes', volume.name)
  return join(replicaFolder(places, engineId), 'volumes', volume.name)
}

/** The supervisor's id of a service's process. */
export const processId = (engineId: string, service: string): string => `${engineId}.${service}`
