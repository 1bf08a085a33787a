/** Addresses in front of pods: the part of core/v1's Service that is written here, and what is read of who is behind it (as of 1.34). */
import type { KubeObject } from './meta.ts'

export type ServiceType = 'ClusterIP' | 'NodePort' | 'LoadBalancer'

export type Service = KubeObject & {
  readonly spec: {
    readonly type: ServiceType
    /** `None`: no address of its own, each pod has its. */
    readonly clusterIP?: 'None'
    readonly selector: Readonly<Record<string, string>>
    readonly ports?: readonly ServicePort[]
    readonly publishNotReadyAddresses?: boolean
  }
}

export type ServicePort = {
  readonly name: string
  readonly port: number
  readonly targetPort: number
  readonly protocol: 'TCP' | 'UDP'
}

/** A part of those behind one Service, in discovery.k8s.io/v1; written by the cluster alone. */
export type EndpointSlice = KubeObject & {
  readonly endpoints?: readonly {
    readonly conditions?: { readonly ready?: boolean }
    readonly targetRef?: { readonly uid?: string }
  }[]
}
