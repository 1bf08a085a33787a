/** Pure: the persistent volumes of an instance, each once, however many services share it. */
import { formatQuantity, parseQuantity, type VolumeSpec, wholeUnits } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import type { PlanSettings } from './settings.ts'

export type VolumeClaim = { readonly size: string; readonly storageClass?: string }

/** What one gets who does not say how much. */
const usualSize = '1Gi'

export function persistentVolumes({ services }: Pick<Desired, 'services'>): readonly VolumeSpec[] {
  const all = services.flatMap(({ volumes }) => volumes).filter(({ type }) => type === 'persistent')
  return [...new Map(all.map((volume) => [volume.name, volume])).values()]
}

/** By name. */
export function claimedVolumes(desired: Desired, settings: PlanSettings): Readonly<Record<string, VolumeClaim>> {
  const storageClass = desired.engine.kubernetes?.storageClass ?? settings.storageClass
  const claim = ({ size }: VolumeSpec): VolumeClaim => ({
    size: wholeBytes(size ?? usualSize),
    ...(storageClass === undefined ? {} : { storageClass }),
  })
  return Object.fromEntries(persistentVolumes(desired).map((volume) => [volume.name, claim(volume)]))
}

const billion = 1_000_000_000n

/** Nothing is stored in parts of a byte. */
export const wholeBytes = (quantity: string): string => formatQuantity(wholeUnits(parseQuantity(quantity)) * billion)
