/** All that is known of an instance at one moment, as values: what observing reads. */
import type { Stall } from '../../observed.ts'
import type { Ref } from '../../ref.ts'
import type { RoomHeard } from '../room/verdict.ts'
import type { ServiceRecord } from './record.ts'
import type { ContainerSeen, PodSeen, ServiceSeen, WorkloadSeen } from './seen.ts'

/** What was found out about an object beside what it says itself, in the cluster's own words. */
export type Words = {
  /** Of an event about it that says why it does not get further; `undefined`: none, or nobody has asked yet. */
  readonly event?: { readonly reason: string; readonly message: string }
  /** By service: the last line that it wrote before its last end, without secrets. */
  readonly lastLines?: Readonly<Record<string, string>>
}

export type PodFacts = {
  readonly pod: PodSeen
  readonly index: number
  /** The node says nothing any more: what is known of the pod is old. */
  readonly nodeLost: boolean
  /** Of one that no node takes: whether one may yet. */
  readonly room: RoomHeard
  readonly words: Words
  /** By service: ends within the last hour. */
  readonly ends: Readonly<Record<string, number>>
}

export type ClaimFacts = { readonly name: string; readonly createdAt: number; readonly words: Words }

export type InstanceFacts = {
  readonly ref: Ref
  /** `undefined`: its Deployment or StatefulSet is not there (any more). */
  readonly workload: { readonly seen: WorkloadSeen; readonly words: Words } | undefined
  readonly pods: readonly PodFacts[]
  readonly services: readonly ServiceSeen[]
  /** Those that are bound to nothing. */
  readonly pending: readonly ClaimFacts[]
  /** What kept the last pass from applying something. */
  readonly trouble: Stall | undefined
  readonly drift: readonly string[]
  readonly via: 'direct' | 'tunnel'
  /** How old a connection to a Service may be that something new is sent over; `undefined`: as old as it gets. */
  readonly connectionAgeMs: number | undefined
  /** Where a port of every node is dialled; `undefined`: no node is known. */
  readonly nodeAddress: string | undefined
  /** When this was first said of the instance: the same words are as old as they first were. */
  readonly since: (words: string) => Date
  readonly now: number
}

export type ServiceFacts = { readonly record: ServiceRecord; readonly container: ContainerSeen | undefined }

export const servicesOf = ({ services, containers }: PodSeen): ServiceFacts[] =>
  services.map((record) => ({ record, container: containers[record.name] }))

/** How a run ended, in words: `exited with code 3: cannot open database`. */
export function endWords({ end }: ContainerSeen, lastLine: string | undefined): string | undefined {
  if (!end) return undefined
  // The kubelet's own words are of what it could not start; what the program wrote last is of what it did.
  const said = lastLine || end.message?.trim().split('\n').at(-1)
  const more = said ? `: ${said}` : ''
  if (end.reason === 'OOMKilled')
    return `was killed when it reached its limit of memory (OOMKilled, exit code ${end.code})${more}`
  // The kubelet has lost sight of it, and made the code up.
  if (end.reason === 'ContainerStatusUnknown')
    return `ended while nobody looked, with an exit code that is not known${more}`
  const why = end.reason && !['Error', 'Completed'].includes(end.reason) ? ` (${end.reason})` : ''
  return `exited with code ${end.code}${why}${more}`
}
