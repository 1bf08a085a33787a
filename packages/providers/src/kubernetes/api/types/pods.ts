/** What pods are made of: the part of Kubernetes' core/v1 that is written here (as of 1.34). */
import type { ObjectMeta } from './meta.ts'

export type PodTemplate = { readonly metadata: Pick<ObjectMeta, 'labels' | 'annotations'>; readonly spec: PodSpec }

export type PodSpec = {
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[]
  readonly volumes?: readonly Volume[]
  readonly restartPolicy: 'Always'
  readonly terminationGracePeriodSeconds: number
  readonly hostAliases: readonly { readonly ip: string; readonly hostnames: readonly string[] }[]
  readonly enableServiceLinks: boolean
  readonly automountServiceAccountToken: boolean
  readonly serviceAccountName?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Toleration[]
  readonly imagePullSecrets?: readonly { readonly name: string }[]
  readonly securityContext?: PodSecurity
}

export type PodSecurity = { readonly fsGroup: number; readonly fsGroupChangePolicy: 'OnRootMismatch' }

export type Toleration = {
  readonly key?: string
  readonly operator: 'Equal' | 'Exists'
  readonly value?: string
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
  readonly tolerationSeconds?: number
}

export type Container = {
  readonly name: string
  readonly image: string
  readonly imagePullPolicy: 'Always' | 'IfNotPresent' | 'Never'
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly workingDir?: string
  readonly env?: readonly EnvVar[]
  readonly ports?: readonly ContainerPort[]
  readonly resources?: ResourceRequirements
  readonly securityContext?: { readonly runAsUser: number; readonly runAsGroup?: number }
  readonly volumeMounts?: readonly VolumeMount[]
  readonly startupProbe?: Probe
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } }
  /** Of an init container alone: with it, one that goes on beside the others (a native sidecar). */
  readonly restartPolicy?: 'Always'
}

export type EnvVar =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string
      readonly valueFrom: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
    }

export type ContainerPort = {
  readonly containerPort: number
  readonly protocol: 'TCP' | 'UDP'
  readonly hostPort?: number
  readonly hostIP?: string
}

export type ResourceRequirements = {
  readonly limits?: Readonly<Record<string, string>>
  readonly requests?: Readonly<Record<string, string>>
}

export type ProbeAction =
  | { readonly httpGet: { readonly port: number; readonly path: string; readonly scheme: 'HTTP' } }
  | { readonly tcpSocket: { readonly port: number } }
  | { readonly grpc: { readonly port: number; readonly service: string } }
  | { readonly exec: { readonly command: readonly string[] } }

export type Probe = ProbeAction & {
  readonly initialDelaySeconds?: number
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly successThreshold: number
  readonly failureThreshold: number
}

export type VolumeMount = {
  readonly name: string
  readonly mountPath: string
  readonly subPath?: string
  readonly readOnly?: boolean
}

export type KeyToPath = { readonly key: string; readonly path: string; readonly mode: number }

export type Volume = { readonly name: string } & (
  | { readonly emptyDir: { readonly medium?: 'Memory'; readonly sizeLimit?: string } }
  | { readonly hostPath: { readonly path: string; readonly type: 'Directory' } }
  | { readonly configMap: { readonly name: string; readonly items: readonly KeyToPath[] } }
  | { readonly secret: { readonly secretName: string; readonly items: readonly KeyToPath[] } }
)
