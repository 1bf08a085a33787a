/** Pure: claims whose volume is made only when a pod needs it. */
import type { KubeObject } from '../../api/types/meta.ts'
import { textAt } from '../fields.ts'
import { kindKey } from '../kinds.ts'
import { createdAt, phaseOf } from './conditions.ts'
import { type Health, ready } from './verdict.ts'

export const isClaim = (apiVersion: string, kind: string): boolean =>
  kindKey(apiVersion, kind) === 'PersistentVolumeClaim'

/** The scheduler writes it as soon as a pod that uses the claim has found its node: from then on a volume is waited for. */
export const selectedNode = 'volume.kubernetes.io/selected-node'

/** A storage class that makes no volume before a pod needs it. */
export const bindsLate = (object: KubeObject): boolean =>
  object.kind === 'StorageClass' && textAt(object, 'volumeBindingMode') === 'WaitForFirstConsumer'

/** Nothing more comes of it until somebody uses it, so nobody else is kept waiting. `beside`: storage classes, among others. */
export function unusedClaim(own: Health, claim: KubeObject, beside: Iterable<KubeObject>): Health {
  const { apiVersion, kind, metadata } = claim
  if (own.state !== 'waiting' || !isClaim(apiVersion, kind)) return own
  if ((phaseOf(claim) ?? 'Pending') !== 'Pending' || metadata.annotations?.[selectedNode] !== undefined) return own
  const name = textAt(claim, 'spec', 'storageClassName')
  const isLate = [...beside].some((each) => each.metadata.name === name && bindsLate(each))
  return isLate ? ready(createdAt(claim), 'it gets its volume when the first pod uses it') : own
}
