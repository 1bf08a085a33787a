/** Pure: which pods are an object's, and why they do not come up. */

import type { KubeObject, OwnerReference } from '../../api/types/meta.ts'
import { isNotYetRead } from '../../kubelet-words.ts'
import { prospectOf, type RoomHeard } from '../../room/verdict.ts'
import { listAt, numberAt, textAt } from '../fields.ts'
import { kindKey } from '../kinds.ts'
import { conditionOf, dateOf } from './conditions.ts'
import { type Health, stalled } from './verdict.ts'

/** Of a namespace's pods those that an object of ours made, by who owns them; in between only names are known. */
export function podsOf(object: KubeObject, pods: Iterable<KubeObject>): KubeObject[] {
  return [...pods].filter((pod) => isPodOf(object, pod))
}

function isPodOf({ apiVersion, kind, metadata }: KubeObject, pod: KubeObject): boolean {
  if (pod.kind !== 'Pod') return false
  if (pod.metadata.namespace !== metadata.namespace) return false
  if (kindKey(apiVersion, kind) === 'Pod') return pod.metadata.name === metadata.name
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)
  if (!owner) return false
  if (owner.uid === metadata.uid) return true
  return isBetween(kindKey(apiVersion, kind), metadata.name, owner, pod)
}

/** A Deployment's pods are its ReplicaSets', a CronJob's its Jobs', and both are named after it in one way only. */
function isBetween(kind: string, name: string, owner: OwnerReference, pod: KubeObject): boolean {
  if (kind === 'Deployment.apps') {
    const hash = pod.metadata.labels?.['pod-template-hash']
    return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name === `${name}-${hash}`
  }
  if (kind !== 'CronJob.batch' || owner.kind !== 'Job' || !owner.name.startsWith(`${name}-`)) return false
  return /^[0-9]+$/.test(owner.name.slice(name.length + 1))
}

/** What a kubelet says of an image that it cannot have. */
const imageReasons = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
])

const otherReasons = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'PreStartHookError',
  'PostStartHookError',
])

/** Whether somebody makes room for a pod that no node takes. */
export type RoomOf = (pod: KubeObject) => RoomHeard

/** `undefined`: nothing that keeps it. One that has failed is its maker's business, who tries another or says so. */
export function podTrouble(pod: KubeObject, now: Date, roomOf: RoomOf): Health | undefined {
  if (pod.metadata.deletionTimestamp !== undefined) return undefined
  const statuses = [...listAt(pod, 'status', 'initContainerStatuses'), ...listAt(pod, 'status', 'containerStatuses')]
  for (const status of statuses) {
    const reason = textAt(status, 'state', 'waiting', 'reason')
    if (reason === undefined) continue
    const said = textAt(status, 'state', 'waiting', 'message')
    const name = textAt(status, 'name')
    if (imageReasons.has(reason)) return stalled(`${name}: ${reason}${said ? `: ${said}` : ''}`, 'image_pull_failed')
    if (!otherReasons.has(reason) || isNotYetRead(said ?? '')) continue
    const trouble = stalled(`${name}: ${reason}${lastEnd(status) ?? (said ? `: ${said}` : '')}`)
    return reason === 'CrashLoopBackOff' ? { ...trouble, crashing: true } : trouble
  }
  const scheduled = conditionOf(pod, 'PodScheduled')
  if (scheduled?.status === 'False') {
    // Somebody holds it back on purpose, and lets it go.
    if (scheduled.reason === 'SchedulingGated')
      return { state: 'waiting', message: `${pod.metadata.name} is held back: ${scheduled.message}` }
    const unplaced = {
      message: scheduled.message ?? 'it cannot be scheduled',
      at: scheduled.at?.getTime() ?? 0,
      nominated: textAt(pod, 'status', 'nominatedNodeName'),
    }
    const prospect = prospectOf(unplaced, roomOf(pod), now.getTime())
    if (prospect.state === 'stuck') return stalled(`no node for ${pod.metadata.name}: ${prospect.message}`)
    const what = prospect.isComing ? 'waiting for a node for' : 'no node for'
    return { state: 'waiting', message: `${what} ${pod.metadata.name}: ${prospect.message}` }
  }
  return undefined
}

/** How the run before ended, which says more than that it will be tried again. */
function lastEnd(status: unknown): string | undefined {
  const code = numberAt(status, 'lastState', 'terminated', 'exitCode')
  if (code === undefined) return undefined
  const reason = textAt(status, 'lastState', 'terminated', 'reason')
  const said = textAt(status, 'lastState', 'terminated', 'message')?.trim()
  return `, its last run ended with exit code ${code}${reason && reason !== 'Error' ? ` (${reason})` : ''}${said ? `: ${said}` : ''}`
}

/** Events of controllers that could not make a pod: all that a StatefulSet, a DaemonSet or a Job says of it. */
export const refusedPods = { fieldSelector: 'reason=FailedCreate' } as const

/** The last refusal since the youngest pod was made: what is older was overcome. */
export function makerTrouble(
  maker: KubeObject,
  events: Iterable<KubeObject>,
  pods: readonly KubeObject[],
): Health | undefined {
  const made = Math.max(0, ...pods.map((pod) => dateOf(pod.metadata.creationTimestamp)?.getTime() ?? 0))
  let last: { readonly at: number; readonly message: string } | undefined
  for (const event of events) {
    if (event.kind !== 'Event' || textAt(event, 'involvedObject', 'uid') !== maker.metadata.uid) continue
    const time =
      textAt(event, 'series', 'lastObservedTime') ?? textAt(event, 'lastTimestamp') ?? textAt(event, 'eventTime')
    const at = dateOf(time ?? event.metadata.creationTimestamp)?.getTime() ?? 0
    const message = textAt(event, 'message')
    if (message && at > made && at >= (last?.at ?? 0)) last = { at, message }
  }
  return last && stalled(last.message)
}

export const restartsOf = (pod: unknown): number =>
  [...listAt(pod, 'status', 'initContainerStatuses'), ...listAt(pod, 'status', 'containerStatuses')].reduce<number>(
    (total, status) => total + (numberAt(status, 'restartCount') ?? 0),
    0,
  )
