/** Pure: how far an instance is from what is desired, and what it waits for. */
import type { Desired } from '../../desired.ts'
import type { PodSeen, WorkloadSeen } from '../observe/seen.ts'
import { replicasOf } from '../plan/workload.ts'
import { prospectOf, type RoomHeard } from '../room/verdict.ts'

export type Seen = {
  readonly workload: WorkloadSeen | undefined
  readonly pods: readonly PodSeen[]
  readonly isNodeLost: (node: string) => boolean
  /** Asked of those that no node takes. */
  readonly room: (pod: PodSeen) => RoomHeard
  readonly now: number
}

/** Times of the cluster are cut off at the second: so much less it may have been. */
const wholeSecondMs = 1000

/** `undefined`: it is as desired, and ready for as long as it must be. Read as "waiting for …". */
export function waitsFor(desired: Desired, seen: Seen): string | undefined {
  const { workload, pods, isNodeLost, now } = seen
  const wanted = replicasOf(desired)
  if (!workload || workload.deleting) return 'the cluster to take it up'
  if (workload.observedGeneration < workload.generation) return `the controller of ${workload.kind} ${workload.name}`
  const leaving = pods.filter(({ deleting }) => deleting)
  const staying = pods.filter(({ deleting }) => !deleting)
  const current = staying.filter(({ specHash }) => specHash === desired.specHash)
  const lost = pods.find(({ node }) => node !== undefined && isNodeLost(node))
  if (lost) return `node ${lost.node}, which says nothing any more`
  const ready = current.filter((pod) => pod.ready)
  if (ready.length < wanted) {
    return nodesFor(current, wanted, seen) ?? `${wanted - ready.length} of ${wanted} replicas to be ready`
  }
  const old = staying.length - current.length
  if (old > 0) return `${old} replicas of before to leave`
  if (staying.length > wanted) return `${staying.length - wanted} replicas to leave`
  if (leaving.length > 0) return `${leaving.length} replicas to end`
  const { minReadySeconds } = desired.update
  const isYoung = ready.some(({ readyAt = 0 }) => now - readyAt < minReadySeconds * 1000 + wholeSecondMs)
  if (minReadySeconds > 0 && (isYoung || workload.counted.available < wanted)) {
    return `replicas to be ready for ${minReadySeconds} s`
  }
  return workload.replicas === wanted ? undefined : 'the number of replicas'
}

/** Somebody has said that one comes: until then it is only a replica that is not ready. */
function nodesFor(pods: readonly PodSeen[], wanted: number, { room, now }: Seen): string | undefined {
  const coming = pods.flatMap((pod) => {
    const prospect = pod.unschedulable && prospectOf(pod.unschedulable, room(pod), now)
    return prospect?.state === 'waits' && prospect.isComing ? [prospect.message] : []
  })
  return coming.length === 0 ? undefined : `a node for ${coming.length} of ${wanted} replicas: ${coming[0]}`
}

/**
 * Pods that hold up their StatefulSet: it goes on with the next number only when this one is ready, which one of before that
 * is broken never is. And those that have failed for good: their controller makes others, and leaves these lying about.
 */
export function pointless(desired: Desired, { workload, pods }: Seen): readonly PodSeen[] {
  return pods.filter((pod) => {
    if (pod.deleting) return false
    if (pod.phase === 'Failed') return true
    const isOld = pod.specHash !== desired.specHash && workload?.specHash === desired.specHash
    if (workload?.kind !== 'StatefulSet' || !isOld) return false
    return desired.update.type === 'recreate' || !pod.ready
  })
}
