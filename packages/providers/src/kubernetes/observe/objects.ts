/** What is read of a cluster's objects: the part of Kubernetes' API that `seen.ts` looks at (as of 1.34). */
import type { Condition, KubeObject } from '../api/types/meta.ts'

export type ContainerEnd = {
  readonly exitCode: number
  readonly signal?: number
  readonly reason?: string
  readonly message?: string
  readonly startedAt?: string | null
  readonly finishedAt?: string | null
  readonly containerID?: string
}

export type ContainerState = {
  readonly waiting?: { readonly reason?: string; readonly message?: string }
  readonly running?: { readonly startedAt?: string | null }
  readonly terminated?: ContainerEnd
}

export type ContainerStatus = {
  readonly name: string
  readonly state?: ContainerState
  readonly lastState?: ContainerState
  readonly ready: boolean
  /** Its startup probe has passed, or it has none and runs. */
  readonly started?: boolean
  readonly restartCount: number
  readonly imageID?: string
  readonly containerID?: string
}

export type ContainerSpec = {
  readonly name: string
  readonly resources?: { readonly limits?: Readonly<Record<string, string | number>> }
}

export type Pod = KubeObject & {
  readonly spec?: {
    readonly nodeName?: string
    readonly containers?: readonly ContainerSpec[]
    readonly initContainers?: readonly (ContainerSpec & { readonly restartPolicy?: string })[]
    readonly volumes?: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[]
  }
  readonly status?: {
    readonly phase?: string
    readonly reason?: string
    readonly message?: string
    readonly podIP?: string
    /** The node that others are sent away from for it, or that an autoscaler means it to have. */
    readonly nominatedNodeName?: string
    readonly hostIP?: string
    readonly conditions?: readonly Condition[]
    readonly containerStatuses?: readonly ContainerStatus[]
    readonly initContainerStatuses?: readonly ContainerStatus[]
  }
}

/** A Deployment or a StatefulSet: what they have in common. */
export type WorkloadObject = KubeObject & {
  readonly spec?: {
    readonly replicas?: number
    readonly template?: { readonly metadata?: Partial<KubeObject['metadata']> }
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly updatedReplicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly conditions?: readonly Condition[]
    /** Of a StatefulSet. */
    readonly currentRevision?: string
    readonly updateRevision?: string
  }
}

export type ServiceObject = KubeObject & {
  readonly spec?: {
    readonly type?: string
    readonly clusterIP?: string
    readonly selector?: Readonly<Record<string, string>>
    readonly ports?: readonly ServicePort[]
  }
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] }
  }
}

export type ServicePort = {
  readonly name?: string
  readonly port: number
  readonly protocol?: string
  readonly targetPort?: number | string
  readonly nodePort?: number
}

export type Claim = KubeObject & { readonly status?: { readonly phase?: string } }

export type Node = KubeObject & {
  readonly spec?: { readonly unschedulable?: boolean }
  readonly status?: {
    readonly conditions?: readonly Condition[]
    readonly addresses?: readonly { readonly type: string; readonly address: string }[]
    readonly allocatable?: Readonly<Record<string, string | number>>
  }
}

export type EventObject = KubeObject & {
  readonly involvedObject?: { readonly kind?: string; readonly name?: string; readonly uid?: string }
  readonly reason?: string
  readonly message?: string
  readonly type?: string
  readonly firstTimestamp?: string | null
  readonly lastTimestamp?: string | null
  readonly eventTime?: string | null
  readonly series?: { readonly lastObservedTime?: string | null } | null
  readonly source?: { readonly component?: string }
  readonly reportingComponent?: string
}
