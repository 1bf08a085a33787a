/** What the rig itself puts into a cluster: pure. */
import { type Addresses, ports } from './addresses.ts'

export const storageClass = 'gantry-rig'
export const provisioner = 'gantry.test/folders'

export type Made = { readonly path: string; readonly body: object }

/** Where nobody serves figures, nobody is said to: a namespace does not go while a kind in it cannot be looked at. */
export function ownObjects(addresses: Addresses, { metrics }: { readonly metrics: boolean }): readonly Made[] {
  return [defaultStorage, ...(metrics ? metricsApi(addresses) : [])]
}

const defaultStorage: Made = {
  path: '/apis/storage.k8s.io/v1/storageclasses',
  body: {
    metadata: { name: storageClass, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
    allowVolumeExpansion: true,
  },
}

export const metricsService = '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io'

/** It runs beside the other parts, and not in a pod: a Service without pods leads there. */
function metricsApi({ node }: Addresses): readonly Made[] {
  const metadata = { name: 'metrics-server', namespace: 'kube-system' }
  const port = { name: 'https', port: ports.metrics, protocol: 'TCP' }
  return [
    {
      path: '/api/v1/namespaces/kube-system/services',
      body: { metadata, spec: { ports: [{ ...port, port: 443, targetPort: ports.metrics }] } },
    },
    {
      path: '/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices',
      body: {
        metadata: { ...metadata, labels: { 'kubernetes.io/service-name': metadata.name } },
        addressType: 'IPv4',
        endpoints: [{ addresses: [node], conditions: { ready: true } }],
        ports: [port],
      },
    },
    {
      path: '/apis/apiregistration.k8s.io/v1/apiservices',
      body: {
        metadata: { name: 'v1beta1.metrics.k8s.io' },
        spec: {
          group: 'metrics.k8s.io',
          version: 'v1beta1',
          service: { name: metadata.name, namespace: metadata.namespace, port: 443 },
          insecureSkipTLSVerify: true,
          groupPriorityMinimum: 100,
          versionPriority: 100,
        },
      },
    },
  ]
}
