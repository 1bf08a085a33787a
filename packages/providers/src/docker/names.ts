/** Pure: what things of ours are called on a daemon. The same every time, so that what a crash left is found by its name. */
import { derivedName } from '@gantry/core'
import type { Ref } from '../ref.ts'
import type { VolumeOwner } from '../volume-owner.ts'

/** The container that holds the network of a group. No service has a name with a dot in it. */
export const holderService = '.holder'

/** By uid and not by installation: who copies an installation is told that the place is taken. */
export const containerName = ({ workload, uid, slot }: Ref, index: number, service: string): string =>
  derivedName(workload, uid, slot, String(index), service)

/** `id` is new for every replica. */
export const replicaId = ({ workload, uid, slot }: Ref, index: number, id: string): string =>
  `${derivedName(workload, uid, slot, String(index))}.${id}`

export const networkName = (installation: string, tenant: string): string => derivedName('gantry', tenant, installation)

/** Of all who ever have this name, so that what one leaves is found by the next. */
export const persistentVolume = ({ installation, ref }: VolumeOwner, index: number, name: string): string =>
  derivedName(ref.tenant, ref.workload, ref.slot, String(index), name, installation)

/** An empty volume whose labels say who has the other one now: labels of a volume cannot be changed. */
export const ownerVolume = (volume: string, { uid }: Ref): string => derivedName('owner', volume, uid)

/** Gone with the replica. */
export const replicaVolume = (engineId: string, name: string): string => `${engineId}.volume.${name}`

export const filesVolumeName = (engineId: string): string => `${engineId}.files`

/** How others of the tenant find a replica: any of the workload, or this very one. */
export const aliasesOf = ({ workload }: Ref, index: number): readonly string[] => [workload, `${workload}-${index}`]
