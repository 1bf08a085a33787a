/** Pure: why an instance will not get further without a change, in the cluster's own words. */

import type { FaultReason } from '@gantry/core'
import type { Replica, Stall } from '../../observed.ts'
import { isNotYetRead } from '../kubelet-words.ts'
import { placeMs, prospectOf } from '../room/verdict.ts'
import { endWords, type InstanceFacts, type PodFacts, type ServiceFacts, servicesOf } from './facts.ts'
import type { ContainerSeen } from './seen.ts'

/** After this, what events say of a pod is worth a question. */
export const askMs = 3000
/** A volume that is made takes longer than a place to be found. */
export const claimMs = 8000

/** What a runtime fails at now and then, the kubelet tries again at once. */
const againMs = 3000

const eventMs = 8000

/** `patienceMs`: it is a verdict only when it has been said for so long. */
type Verdict = Pick<Stall, 'reason' | 'message'> & {
  readonly service?: string
  readonly key: string
  readonly patienceMs?: number
}

export function stallOf(facts: InstanceFacts): Stall | undefined {
  const { workload, trouble, since } = facts
  if (trouble) return trouble
  const current = facts.pods.filter(
    ({ pod }) => !pod.deleting && (!workload || pod.specHash === workload.seen.specHash),
  )
  for (const each of current) {
    const verdict = podVerdict(each, facts)
    if (!verdict) continue
    const { key, patienceMs = 0, ...rest } = verdict
    const at = since(`${each.pod.uid} ${key}`)
    if (facts.now - at.getTime() >= patienceMs) return { ...rest, at, replica: each.index }
  }
  const refused = refusalOf(facts)
  if (!refused) return undefined
  const { reason, message } = refused
  return { reason, message, at: since(`refused ${message}`) }
}

/** A new pod in its place may do better; nothing here ends for good, since the kubelet starts everything again. */
export function failedOf({ pod }: PodFacts): Replica['failed'] {
  if (pod.phase === 'Failed') return 'again'
  return servicesOf(pod).some((each) => initFailed(each) || imageMissing(each.container)) ? 'again' : undefined
}

function podVerdict(facts: PodFacts, instance: InstanceFacts): Verdict | undefined {
  const { pod, words } = facts
  for (const each of servicesOf(pod)) {
    const verdict = serviceVerdict(each, facts, instance)
    if (verdict) return { ...verdict, service: each.record.name }
  }
  if (pod.phase === 'Failed') {
    const why = pod.message ?? pod.reason ?? 'it failed'
    return { key: 'failed', reason: 'rollout_stalled', message: `it has failed: ${why}` }
  }
  const unplaced = placeVerdict(facts, instance)
  if (unplaced) return unplaced
  if (pod.node === undefined || !words.event) return undefined
  // Its volumes or its network cannot be made: only events tell.
  const { reason, message } = words.event
  return {
    key: 'event',
    // A node that has just been given a pod may not know yet that it may see what belongs to it; then it asks once more.
    patienceMs: isNotYetRead(message) ? readMs : eventMs,
    reason: 'rollout_stalled',
    message: `it cannot start: ${message} (${reason})`,
  }
}

function placeVerdict({ pod, room }: PodFacts, { pending, now }: InstanceFacts): Verdict | undefined {
  const { unschedulable } = pod
  if (!unschedulable || now - unschedulable.at < placeMs) return undefined
  const prospect = prospectOf(unschedulable, room, now)
  // Its claims may wait for the node as it does.
  if (prospect.state === 'waits' && prospect.isComing) return undefined
  const claim = pending.find(({ name, createdAt }) => pod.claims.includes(name) && now - createdAt >= claimMs)
  if (claim) {
    const said = claim.words.event
    const why = said ? `${said.message} (${said.reason})` : 'nobody provides it; is there a storage class?'
    return { key: 'claim', reason: 'rollout_stalled', message: `volume claim ${claim.name} is pending: ${why}` }
  }
  // The claims are on their way.
  if (pending.some(({ name }) => pod.claims.includes(name))) return undefined
  if (prospect.state === 'waits') return undefined
  const message = `it finds no node: ${prospect.message}`
  return { key: 'place', reason: 'rollout_stalled', message }
}

function serviceVerdict(service: ServiceFacts, facts: PodFacts, instance: InstanceFacts): Verdict | undefined {
  const { record, container } = service
  if (!container) return undefined
  const { name } = record
  const words = endWords(container, facts.words.lastLines?.[name])
  if (initFailed(service)) {
    return { key: `init ${name}`, reason: 'init_failed', message: `init service ${name} ${words ?? 'failed'}` }
  }
  const trouble = waitingTrouble(container)
  if (trouble) return { ...trouble, message: `${name}: ${trouble.message}` }
  const { maxPerHour } = instance.workload?.seen.wishes ?? {}
  if (record.role !== 'init' && maxPerHour !== undefined && (facts.ends[name] ?? 0) > maxPerHour) {
    const message = `${name} ${words ?? 'ended'}, and was restarted more than ${maxPerHour} times within an hour`
    return { key: `exhausted ${name}`, reason: 'rollout_stalled', message }
  }
  if (container.reason !== 'CrashLoopBackOff') return undefined
  return {
    key: `crash ${name}`,
    reason: 'rollout_stalled',
    message: `${name} keeps crashing: ${words ?? 'nobody saw how'}`,
  }
}

/** The kubelet tries an init that failed once more at once; what fails then fails for a reason. */
function initFailed({ record, container }: ServiceFacts): boolean {
  if (record.role !== 'init' || !container?.end || container.end.code === 0) return false
  return container.restarts > 0 || container.reason === 'CrashLoopBackOff'
}

/** Reasons that a container waits for, which no waiting mends; the others pass by themselves. */
const troubles: Readonly<Record<string, FaultReason>> = {
  ErrImagePull: 'image_pull_failed',
  ImagePullBackOff: 'image_pull_failed',
  InvalidImageName: 'image_pull_failed',
  ErrImageNeverPull: 'image_pull_failed',
  ImageInspectError: 'image_pull_failed',
  RegistryUnavailable: 'image_pull_failed',
  SignatureValidationFailed: 'image_pull_failed',
  CreateContainerConfigError: 'rollout_stalled',
  CreateContainerError: 'rollout_stalled',
  RunContainerError: 'rollout_stalled',
  PreStartHookError: 'rollout_stalled',
  PostStartHookError: 'rollout_stalled',
}

const imageMissing = (container: ContainerSeen | undefined): boolean =>
  container?.state === 'waiting' && troubles[container.reason ?? ''] === 'image_pull_failed'

/** `key`: what stays the same while the kubelet says it in turns (`ErrImagePull`, `ImagePullBackOff`). */
export function waitingTrouble({ state, reason = '', message }: ContainerSeen): Verdict | undefined {
  const fault = state === 'waiting' ? troubles[reason] : undefined
  if (!fault) return undefined
  const key = fault === 'image_pull_failed' ? 'image' : reason
  const patienceMs = patienceWith(reason, fault, message ?? '')
  return { key, reason: fault, message: message ? `${message} (${reason})` : reason, patienceMs }
}

function patienceWith(reason: string, fault: FaultReason, said: string): number {
  if (isNotYetRead(said)) return readMs
  if (tried.has(reason)) return againMs
  return fault === 'image_pull_failed' && unknownThere.test(said) ? loginMs : 0
}

/** The next time is ten seconds and more later. */
const readMs = 30_000

/** A kubelet that is busy pulls without the account that it was given, and with it only the next time, ten seconds later. */
const unknownThere = /\b40[13]\b|unauthori[sz]ed|authentication required|no basic auth|denied/i
const loginMs = 12_000

const tried: ReadonlySet<string> = new Set(['CreateContainerError', 'RunContainerError'])

/** Pods that could not even be made: the controller's condition, or for a StatefulSet the event, tells why. */
function refusalOf({ workload, pods }: InstanceFacts): Verdict | undefined {
  if (!workload) return undefined
  const { seen, words } = workload
  const there = pods.filter(({ pod }) => !pod.deleting).length
  const why = seen.refusal?.message ?? (there < seen.replicas ? words.event?.message : undefined)
  if (why === undefined) return undefined
  return { key: 'refused', reason: 'rollout_stalled', message: `the cluster refuses a replica: ${why}` }
}
