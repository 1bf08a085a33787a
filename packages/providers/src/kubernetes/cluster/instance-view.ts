/** What is known of one instance beyond what its objects say at this moment, and what it amounts to. */
import type { Desired } from '../../desired.ts'
import { quotable } from '../../masked.ts'
import type { Observed, Stall } from '../../observed.ts'
import type { Ref } from '../../ref.ts'
import type { PodFacts, Words } from '../observe/facts.ts'
import { observedOf } from '../observe/observed-of.ts'
import type { ClaimSeen, ContainerSeen, PodSeen, ServiceSeen, WorkloadSeen } from '../observe/seen.ts'
import { askMs, claimMs, waitingTrouble } from '../observe/stalls.ts'
import type { RoomHeard } from '../room/verdict.ts'
import { Ends } from './ends.ts'
import type { Inquiries } from './inquiries.ts'
import { PodIndexes } from './pod-indexes.ts'

/** What looks stuck is looked at again so often. */
const lookAgainMs = 2500
const lookLaterMs = 10_000

/** A pod that has a place and still does not begin; a claim; a set that makes no pods. */
const eventsOf = {
  pod: ['FailedMount', 'FailedAttachVolume', 'FailedCreatePodSandBox', 'NetworkNotReady', 'FailedPreStopHook'],
  claim: ['ProvisioningFailed', 'FailedBinding', 'ClaimMisbound', 'ExternalProvisioning'],
  workload: ['FailedCreate'],
} as const

export type InstanceObjects = {
  readonly workload: WorkloadSeen | undefined
  readonly pods: readonly PodSeen[]
  readonly services: readonly ServiceSeen[]
  readonly claims: readonly ClaimSeen[]
}

export type ViewSurroundings = {
  readonly inquiries: Inquiries
  readonly room: (pod: PodSeen) => RoomHeard
  readonly isNodeLost: (node: string) => boolean
  readonly nodeAddress: () => string | undefined
  readonly via: 'direct' | 'tunnel'
  readonly connectionAgeMs: number | undefined
  /** Seconds of the cluster begin with ours, as far as anybody knows. */
  readonly now: () => number
}

export class InstanceView {
  readonly ref: Ref
  /** As it was last asked for: the secrets that must not be quoted. */
  desired: Desired | undefined
  drift: readonly string[] = []
  readonly #indexes = new PodIndexes()
  /** By uid of the pod. */
  readonly #ends = new Map<string, Ends>()
  readonly #since = new Map<string, number>()

  constructor(ref: Ref) {
    this.ref = ref
  }

  /** `again`: after how long it may be another without news; `undefined`: never. */
  observe(
    objects: InstanceObjects,
    trouble: Stall | undefined,
    around: ViewSurroundings,
  ): { readonly observed: Observed; readonly again: number | undefined } {
    const now = around.now()
    const { workload, pods } = objects
    const indexes = this.#indexes.of(pods)
    this.#forget(pods)
    let stuck = false
    const about = (suspected: boolean, ask: () => Words): Words => {
      stuck ||= suspected
      return suspected ? ask() : {}
    }
    const podFacts = pods.map((pod): PodFacts => {
      const words = about(isStuck(pod, now), () => wordsOf(around.inquiries.event(pod, eventsOf.pod)))
      const lastLines = this.#lastLines(pod, around.inquiries)
      return {
        pod,
        index: indexes.get(pod.uid) ?? 0,
        nodeLost: pod.node !== undefined && around.isNodeLost(pod.node),
        room: pod.unschedulable ? around.room(pod) : {},
        words: { ...words, lastLines },
        ends: this.#endsOf(pod, now),
      }
    })
    const pending = objects.claims
      .filter(({ bound, deleting }) => !bound && !deleting)
      .map((claim) => {
        const words = about(now - claim.createdAt >= claimMs, () =>
          wordsOf(around.inquiries.event(claim, eventsOf.claim)),
        )
        stuck = true
        return { name: claim.name, createdAt: claim.createdAt, words }
      })
    const lacking = workload !== undefined && pods.filter(({ deleting }) => !deleting).length < workload.replicas
    const words = about(lacking && workload.kind === 'StatefulSet', () =>
      workload ? wordsOf(around.inquiries.event(workload, eventsOf.workload)) : {},
    )
    const observed = observedOf({
      ref: this.ref,
      workload: workload && { seen: workload, words },
      pods: podFacts,
      services: objects.services,
      pending,
      trouble,
      drift: this.drift,
      via: around.via,
      connectionAgeMs: around.connectionAgeMs,
      nodeAddress: around.nodeAddress(),
      since: (key) => this.#firstSaid(key, now),
      now,
    })
    // What a runtime fails at is a verdict only after a while.
    stuck ||= observed.stalled === undefined && pods.some((pod) => hasTrouble(pod) || isUnplaced(pod))
    // Room may be made for it later than anybody waits for.
    return { observed, again: stuck ? lookAgainMs : pods.some(isUnplaced) ? lookLaterMs : undefined }
  }

  #firstSaid(key: string, now: number): Date {
    const known = this.#since.get(key) ?? now
    this.#since.set(key, known)
    return new Date(known)
  }

  #endsOf(pod: PodSeen, now: number): Readonly<Record<string, number>> {
    let ends = this.#ends.get(pod.uid)
    if (!ends) {
      ends = new Ends()
      this.#ends.set(pod.uid, ends)
    }
    return ends.of(pod, now)
  }

  /** Without its secrets nobody knows what must not be quoted. */
  #lastLines(pod: PodSeen, inquiries: Inquiries): Readonly<Record<string, string>> {
    const { desired } = this
    if (!desired) return {}
    const lines: Record<string, string> = {}
    for (const [service, container] of Object.entries(pod.containers)) {
      const end = quotableEnd(container)
      if (end === undefined || pod.deleting) continue
      const line = inquiries.lastLine(pod, service, end, (text) => quotable(text, desired))
      if (line !== undefined) lines[service] = line
    }
    return lines
  }

  #forget(pods: readonly PodSeen[]): void {
    const there = new Set(pods.map(({ uid }) => uid))
    for (const uid of this.#ends.keys()) {
      if (there.has(uid)) continue
      this.#ends.delete(uid)
      for (const key of this.#since.keys()) if (key.startsWith(`${uid} `)) this.#since.delete(key)
    }
  }
}

/** Which end its last line is of; `undefined`: it runs, or ended well, or the kubelet never started it. */
function quotableEnd({ state, end, restarts }: ContainerSeen): number | undefined {
  if (state === 'running' || !end || end.code === 0 || end.reason === 'StartError') return undefined
  return restarts + (end.at ?? 0)
}

const wordsOf = (event: Words['event']): Words => (event ? { event } : {})

/** It has a node, and none of its containers has got anywhere. */
function isStuck({ node, phase, containers, createdAt, deleting }: PodSeen, now: number): boolean {
  if (node === undefined || phase !== 'Pending' || deleting || now - createdAt < askMs) return false
  return Object.values(containers).every(({ state, reason }) => state === 'waiting' && making.has(reason ?? ''))
}

const hasTrouble = ({ containers }: PodSeen): boolean =>
  Object.values(containers).some((container) => waitingTrouble(container) !== undefined)

const isUnplaced = ({ unschedulable, deleting }: PodSeen): boolean => unschedulable !== undefined && !deleting

const making: ReadonlySet<string> = new Set(['', 'ContainerCreating', 'PodInitializing'])
