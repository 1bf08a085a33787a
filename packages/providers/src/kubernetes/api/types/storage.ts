/** What pods find in their folders: the part of core/v1 that is written here (as of 1.34). */
import type { KubeObject, ObjectMeta } from './meta.ts'

export type ClaimSpec = {
  readonly accessModes: readonly ['ReadWriteOnce']
  readonly resources: { readonly requests: { readonly storage: string } }
  readonly storageClassName?: string
}

export type Claim = KubeObject & { readonly spec: ClaimSpec }

/** Inside a StatefulSet, where a claim has no place of its own yet. */
export type ClaimTemplate = {
  readonly apiVersion: 'v1'
  readonly kind: 'PersistentVolumeClaim'
  readonly metadata: Pick<ObjectMeta, 'name' | 'labels'>
  readonly spec: ClaimSpec
}

export type ConfigMap = KubeObject & { readonly immutable?: boolean; readonly data: Readonly<Record<string, string>> }

export type SecretObject = KubeObject & {
  readonly immutable?: boolean
  readonly type: 'Opaque' | 'kubernetes.io/dockerconfigjson'
  /** base64. */
  readonly data: Readonly<Record<string, string>>
}
