/** What keeps pods there: the part of apps/v1 and policy/v1 that is written here (as of 1.34). */
import type { KubeObject } from './meta.ts'
import type { PodTemplate } from './pods.ts'
import type { ClaimTemplate } from './storage.ts'

export type LabelSelector = { readonly matchLabels: Readonly<Record<string, string>> }

export type Deployment = KubeObject & {
  readonly spec: {
    readonly replicas: number
    readonly selector: LabelSelector
    readonly template: PodTemplate
    readonly strategy: DeploymentStrategy
    readonly minReadySeconds: number
    readonly progressDeadlineSeconds: number
    readonly revisionHistoryLimit: number
  }
}

export type DeploymentStrategy =
  | { readonly type: 'Recreate' }
  | {
      readonly type: 'RollingUpdate'
      readonly rollingUpdate: { readonly maxSurge: number; readonly maxUnavailable: number }
    }

export type StatefulSet = KubeObject & {
  readonly spec: {
    readonly replicas: number
    readonly selector: LabelSelector
    readonly serviceName: string
    readonly podManagementPolicy: 'OrderedReady' | 'Parallel'
    readonly template: PodTemplate
    readonly updateStrategy: StatefulSetStrategy
    readonly minReadySeconds: number
    readonly revisionHistoryLimit: number
    readonly volumeClaimTemplates?: readonly ClaimTemplate[]
    readonly persistentVolumeClaimRetentionPolicy: { readonly whenDeleted: 'Retain'; readonly whenScaled: 'Retain' }
  }
}

export type StatefulSetStrategy =
  | { readonly type: 'OnDelete' }
  | { readonly type: 'RollingUpdate'; readonly rollingUpdate: { readonly partition: number } }

export type DisruptionBudget = KubeObject & {
  readonly spec: {
    readonly maxUnavailable: number
    readonly selector: LabelSelector
    readonly unhealthyPodEvictionPolicy: 'AlwaysAllow'
  }
}
