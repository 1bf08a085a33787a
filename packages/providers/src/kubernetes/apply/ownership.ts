/** Pure: whose an object is that has a name of ours. */
import { label, refFromLabels } from '../../labels.ts'
import { type Ref, refKey, refName } from '../../ref.ts'
import { isHeir } from '../../volume-owner.ts'
import type { ObjectAt } from '../api/api.ts'
import type { KubeObject } from '../api/types/meta.ts'

/** `before`: of one that had this name before, and is to be gone first. */
export type Owner = 'own' | 'before' | 'foreign'

export function ownerOf({ metadata }: KubeObject, installation: string, ref: Ref): Owner {
  const found = refFromLabels(installation, metadata.labels ?? {})
  if (!found) return 'foreign'
  return refKey(found) === refKey(ref) ? 'own' : 'before'
}

/** Of the Service of a workload as a whole, which is in no slot. */
export function workloadOwnerOf({ metadata }: KubeObject, installation: string, { uid }: Pick<Ref, 'uid'>): Owner {
  const labels = metadata.labels ?? {}
  if (labels[label.installation] !== installation) return 'foreign'
  return labels[label.uid] === uid ? 'own' : 'before'
}

/** A claim is its heir's, unless the one that has it is still here. Who made one by hand has no uid on it, and the name. */
export function claimOwnerOf(
  { metadata }: KubeObject,
  installation: string,
  ref: Ref,
  isHere: (ref: Ref) => boolean,
): Owner {
  const labels = metadata.labels ?? {}
  const found = refFromLabels(installation, { ...labels, [label.uid]: labels[label.uid] ?? ref.uid })
  if (!found || !isHeir({ installation, ref: found }, { installation, ref })) return 'foreign'
  return found.uid === ref.uid || !isHere(found) ? 'own' : 'before'
}

export const objectName = ({ resource, namespace, name }: ObjectAt): string =>
  `${resource.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`

export const foreignWords = (at: ObjectAt, ref: Ref): string =>
  `${objectName(at)} is where ${refName(ref)} would be, and is somebody else's; it is left alone: remove or rename it`
