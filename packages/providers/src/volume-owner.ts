/**
 * Pure: whose a volume is. It is known by installation, tenant, workload, slot, replica and name, and never by the uid of a
 * workload: one that is made anew under its old name finds what the one before it left. Slots run side by side, and so share
 * nothing.
 */
import type { RemoveOptions } from './engine.ts'
import { type Ref, refKey } from './ref.ts'

export type VolumeOwner = { readonly installation: string; readonly ref: Ref }

/** `ref` is of the last one that had it. */
export type OwnedVolume = VolumeOwner & { readonly retain: boolean }

const ofWorkload = (left: VolumeOwner, right: VolumeOwner): boolean =>
  left.installation === right.installation &&
  left.ref.tenant === right.ref.tenant &&
  left.ref.workload === right.ref.workload

/** Whether what one of them left is the other's to take up again. */
export const isHeir = (left: VolumeOwner, right: VolumeOwner): boolean =>
  ofWorkload(left, right) && left.ref.slot === right.ref.slot

/**
 * Whether it goes when this instance does. Who says that retained ones shall go means all that this name ever left, in either
 * slot; what another instance has that is still here is that one's.
 */
export function goesWith(
  volume: OwnedVolume,
  owner: VolumeOwner,
  { retained }: RemoveOptions,
  isHere: (ref: Ref) => boolean,
): boolean {
  if (!ofWorkload(volume, owner)) return false
  if (refKey(volume.ref) === refKey(owner.ref)) return !volume.retain || retained === 'delete'
  return retained === 'delete' && !isHere(volume.ref)
}
