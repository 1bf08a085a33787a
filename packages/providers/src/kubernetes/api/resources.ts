/** The kinds that this provider itself uses: known without asking, the same on every server from 1.29 on. */
import type { Resource } from './api.ts'

const core = (kind: string, plural: string, namespaced = true): Resource => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
})

const of = (group: string, version: string, kind: string, plural: string, namespaced = true): Resource => ({
  group,
  version,
  kind,
  plural,
  namespaced,
})

export const resources = {
  namespace: core('Namespace', 'namespaces', false),
  node: core('Node', 'nodes', false),
  pod: core('Pod', 'pods'),
  service: core('Service', 'services'),
  configMap: core('ConfigMap', 'configmaps'),
  secret: core('Secret', 'secrets'),
  event: core('Event', 'events'),
  claim: core('PersistentVolumeClaim', 'persistentvolumeclaims'),
  volume: core('PersistentVolume', 'persistentvolumes', false),
  serviceAccount: core('ServiceAccount', 'serviceaccounts'),
  deployment: of('apps', 'v1', 'Deployment', 'deployments'),
  statefulSet: of('apps', 'v1', 'StatefulSet', 'statefulsets'),
  replicaSet: of('apps', 'v1', 'ReplicaSet', 'replicasets'),
  daemonSet: of('apps', 'v1', 'DaemonSet', 'daemonsets'),
  job: of('batch', 'v1', 'Job', 'jobs'),
  disruptionBudget: of('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
  endpointSlice: of('discovery.k8s.io', 'v1', 'EndpointSlice', 'endpointslices'),
  storageClass: of('storage.k8s.io', 'v1', 'StorageClass', 'storageclasses', false),
  customResourceDefinition: of(
    'apiextensions.k8s.io',
    'v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    false,
  ),
} as const satisfies Record<string, Resource>

export const apiVersionOf = ({ group, version }: Pick<Resource, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`
