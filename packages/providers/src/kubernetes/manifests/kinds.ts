/** What is known of kinds without asking a cluster: which are in no namespace, and who must come before whom. */
import { groupOf } from './set-object.ts'

/** `Kind` of the core group, else `Kind.group`. */
export const kindKey = (apiVersion: string, kind: string): string => {
  const group = groupOf(apiVersion)
  return group === '' ? kind : `${kind}.${group}`
}

const clusterWide = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'ComponentStatus',
  'CustomResourceDefinition.apiextensions.k8s.io',
  'APIService.apiregistration.k8s.io',
  'ClusterRole.rbac.authorization.k8s.io',
  'ClusterRoleBinding.rbac.authorization.k8s.io',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'MutatingAdmissionPolicy.admissionregistration.k8s.io',
  'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'PriorityClass.scheduling.k8s.io',
  'StorageClass.storage.k8s.io',
  'CSIDriver.storage.k8s.io',
  'CSINode.storage.k8s.io',
  'VolumeAttachment.storage.k8s.io',
  'VolumeAttributesClass.storage.k8s.io',
  'IngressClass.networking.k8s.io',
  'IPAddress.networking.k8s.io',
  'ServiceCIDR.networking.k8s.io',
  'RuntimeClass.node.k8s.io',
  'FlowSchema.flowcontrol.apiserver.k8s.io',
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io',
  'CertificateSigningRequest.certificates.k8s.io',
  'ClusterTrustBundle.certificates.k8s.io',
  'DeviceClass.resource.k8s.io',
  'ResourceSlice.resource.k8s.io',
])

const builtInGroups =
  /^(?:|apps|batch|autoscaling|policy|extensions|(?:[a-z.]+\.)?(?:rbac\.authorization|admissionregistration|apiextensions|apiregistration|scheduling|storage|networking|node|discovery|coordination|flowcontrol\.apiserver|certificates|resource|events|authentication|authorization)\.k8s\.io)$/

export const isBuiltIn = (group: string): boolean => builtInGroups.test(group)

/** `undefined` for kinds that only the cluster knows. */
export function namespacedByKind(apiVersion: string, kind: string): boolean | undefined {
  if (clusterWide.has(kindKey(apiVersion, kind))) return false
  return isBuiltIn(groupOf(apiVersion)) ? true : undefined
}

/** Each line waits for those above it to be applied; removal goes the other way. */
const order: readonly (readonly string[])[] = [
  ['CustomResourceDefinition.apiextensions.k8s.io', 'Namespace'],
  [
    'PriorityClass.scheduling.k8s.io',
    'StorageClass.storage.k8s.io',
    'CSIDriver.storage.k8s.io',
    'VolumeAttributesClass.storage.k8s.io',
    'IngressClass.networking.k8s.io',
    'RuntimeClass.node.k8s.io',
    'DeviceClass.resource.k8s.io',
    'ResourceQuota',
    'LimitRange',
    'ServiceAccount',
  ],
  ['ClusterRole.rbac.authorization.k8s.io', 'Role.rbac.authorization.k8s.io'],
  ['ClusterRoleBinding.rbac.authorization.k8s.io', 'RoleBinding.rbac.authorization.k8s.io'],
  ['ConfigMap', 'Secret', 'PersistentVolume', 'NetworkPolicy.networking.k8s.io'],
  ['PersistentVolumeClaim', 'PodDisruptionBudget.policy'],
  ['Service', 'Endpoints', 'EndpointSlice.discovery.k8s.io'],
  [
    'Pod',
    'ReplicationController',
    'ReplicaSet.apps',
    'Deployment.apps',
    'StatefulSet.apps',
    'DaemonSet.apps',
    'Job.batch',
    'CronJob.batch',
  ],
]

const rankOf = new Map(order.flatMap((kinds, rank) => kinds.map((kind) => [kind, rank] as const)))
const unknownBuiltIn = order.length
const custom = order.length + 1
const last = order.length + 2

/** What stands in the way of everybody else's requests once it is there. */
const inTheWay =
  /^(?:APIService\.|(?:Mutating|Validating)(?:WebhookConfiguration|AdmissionPolicy|AdmissionPolicyBinding)\.)/

export function rankOfKind(apiVersion: string, kind: string): number {
  const key = kindKey(apiVersion, kind)
  if (inTheWay.test(key)) return last
  return rankOf.get(key) ?? (isBuiltIn(groupOf(apiVersion)) ? unknownBuiltIn : custom)
}

/** Kinds whose pods are theirs: what logs, and where a stall shows first. */
const makers = new Set([
  'Pod',
  'ReplicationController',
  'ReplicaSet.apps',
  'Deployment.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
  'Job.batch',
  'CronJob.batch',
])

export const makesPods = (apiVersion: string, kind: string): boolean => makers.has(kindKey(apiVersion, kind))

/** Kinds that are ready by being there: only their metadata is ever read. */
const still = new Set([
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'LimitRange',
  'Endpoints',
  'EndpointSlice.discovery.k8s.io',
  'Lease.coordination.k8s.io',
  'NetworkPolicy.networking.k8s.io',
  'IngressClass.networking.k8s.io',
  'Role.rbac.authorization.k8s.io',
  'RoleBinding.rbac.authorization.k8s.io',
  'ClusterRole.rbac.authorization.k8s.io',
  'ClusterRoleBinding.rbac.authorization.k8s.io',
  'PriorityClass.scheduling.k8s.io',
  'StorageClass.storage.k8s.io',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
])

export const readyWhenThere = (apiVersion: string, kind: string): boolean => still.has(kindKey(apiVersion, kind))
