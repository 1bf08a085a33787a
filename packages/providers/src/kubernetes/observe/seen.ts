/** What is kept of an object of the cluster: the few facts that are looked at, so that thousands of them take little room. Pure. */
import type { Ref, WorkloadRef } from '../../ref.ts'
import type { Unplaced } from '../room/verdict.ts'
import type { ServiceRecord, WishesRecord } from './record.ts'

/** What every one of them has. */
export type ObjectSeen = {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly resourceVersion: string
  readonly ref: Ref
  readonly deleting: boolean
}

/** How a run of a container ended. */
export type EndSeen = {
  readonly code: number
  readonly reason: string | undefined
  readonly message: string | undefined
  readonly at: number | undefined
}

export type ContainerSeen = {
  /** Of the run that goes on, or of the last one; `undefined`: none yet. */
  readonly id: string | undefined
  readonly state: 'waiting' | 'running' | 'ended'
  /** Why it waits, in the kubelet's one word (`CrashLoopBackOff`) and in its sentence. */
  readonly reason: string | undefined
  readonly message: string | undefined
  readonly startedAt: number | undefined
  /** Where it has ended, of this run; else of the one before. */
  readonly end: EndSeen | undefined
  readonly restarts: number
  readonly ready: boolean
  readonly started: boolean
}

export type PodSeen = ObjectSeen & {
  readonly release: string
  readonly specHash: string
  readonly createdAt: number
  readonly services: readonly ServiceRecord[]
  /** By service, as far as the kubelet has said something. */
  readonly containers: Readonly<Record<string, ContainerSeen>>
  /** Of a replica of a StatefulSet. */
  readonly ordinal: number | undefined
  readonly node: string | undefined
  readonly address: string | undefined
  readonly hostAddress: string | undefined
  readonly phase: string | undefined
  /** Why the whole pod is as it is (`Evicted`), and its sentence. */
  readonly reason: string | undefined
  readonly message: string | undefined
  readonly ready: boolean
  /** Since when `ready` is what it is. */
  readonly readyAt: number | undefined
  /** No node takes it. */
  readonly unschedulable: Unplaced | undefined
  /** Of all its services together; `undefined`: one has no limit. */
  readonly limits: { readonly cpuMillis: number | undefined; readonly memoryBytes: number | undefined }
  /** Names of the claims that it has. */
  readonly claims: readonly string[]
}

/** A Deployment or a StatefulSet. */
export type WorkloadSeen = ObjectSeen & {
  readonly kind: 'Deployment' | 'StatefulSet'
  readonly createdAt: number
  readonly generation: number
  readonly observedGeneration: number
  /** As it is asked for on the cluster. */
  readonly replicas: number
  readonly specHash: string
  readonly services: readonly ServiceRecord[]
  readonly wishes: WishesRecord
  /** How many pods there are, by the controller's own count. */
  readonly counted: { readonly all: number; readonly updated: number; readonly available: number }
  /** Pods were refused (quota, admission), in the controller's sentence. */
  readonly refusal: { readonly message: string; readonly at: number } | undefined
  readonly template: string | undefined
  readonly fixed: string | undefined
  readonly applied: string | undefined
  readonly updateRevision: string | undefined
}

/** A ConfigMap, a Secret or a budget: only that it is there, and since when nobody has touched it. */
export type PartSeen = ObjectSeen & {
  /** 0: such objects have none. */
  readonly generation: number
}

export type ServiceSeen = Omit<ObjectSeen, 'ref'> & {
  /** `undefined`: of a workload as a whole. */
  readonly ref: Ref | undefined
  readonly workload: WorkloadRef
  readonly type: string
  /** `undefined`: none, or none yet. */
  readonly clusterIp: string | undefined
  readonly ports: readonly { readonly port: number; readonly protocol: string; readonly nodePort: number | undefined }[]
  readonly selector: Readonly<Record<string, string>>
  readonly balancers: readonly string[]
  readonly applied: string | undefined
}

export type ClaimSeen = ObjectSeen & {
  readonly bound: boolean
  readonly createdAt: number
  readonly applied: string | undefined
}

export type NodeSeen = {
  readonly name: string
  readonly resourceVersion: string
  /** Its kubelet speaks, and says that it is well. */
  readonly ready: boolean
  readonly address: string | undefined
  readonly allocatable: Readonly<Record<string, string>>
  readonly schedulable: boolean
}
