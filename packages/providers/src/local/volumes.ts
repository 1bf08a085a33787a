/** Pure: from what is desired, and what earlier workloads of its name left here, to the volumes of a replica. */
import type { Desired } from '../desired.ts'
import { labelsOf } from '../labels.ts'
import { isHeir, type VolumeOwner } from '../volume-owner.ts'
import { instanceKey, volumesKey } from './places.ts'
import type { VolumeRecord } from './records.ts'

/** Those from before volumes were known by name lie below the uid of their first owner, and stay there. */
export const folderOf = ({ folder, ref }: Pick<VolumeRecord, 'folder' | 'ref'>): string => folder ?? instanceKey(ref)

/** Where volumes of this instance lie: where there are some already, else where its name says. */
export function folderFor(volumes: readonly VolumeRecord[], owner: VolumeOwner): string {
  const left = volumes.filter((volume) => isHeir(volume, owner))
  const found = left.find(({ ref }) => ref.uid === owner.ref.uid) ?? left[0]
  return found ? folderOf(found) : volumesKey(owner)
}

/** One per name, however many services share it. */
export function volumesOf(desired: Desired, index: number, folder: string): VolumeRecord[] {
  const { ref, installation } = desired
  const all = desired.services.flatMap(({ volumes }) => volumes).filter(({ type }) => type === 'persistent')
  const labels = labelsOf(desired, { replica: index })
  const records = all.map(({ name, retain }): VolumeRecord => {
    const id = `${volumesKey({ installation, ref })}.${index}.${name}`
    return { id, ref, installation, labels, name, index, retain, folder }
  })
  return [...new Map(records.map((record) => [record.id, record])).values()]
}

/** What was on record of it before, under whatever id. */
export function before(volumes: readonly VolumeRecord[], volume: VolumeRecord): VolumeRecord[] {
  return volumes.filter(
    (each) =>
      isHeir(each, volume) &&
      each.index === volume.index &&
      each.name === volume.name &&
      folderOf(each) === folderOf(volume),
  )
}
