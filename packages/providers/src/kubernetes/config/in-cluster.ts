/** Pure: the cluster that we run in ourselves, by what every pod finds in it. */
import { join } from 'node:path'
import type { ClusterConfig } from './cluster-config.ts'
import type { Environment } from './settings.ts'

/** Where a pod has its service account: token, ca.crt, namespace. */
export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

export type InCluster = { readonly config: ClusterConfig } | { readonly not: string }

/** `found`: what of the folder is there. */
export function inCluster(
  env: Environment,
  folder: string,
  found: { readonly token: boolean; readonly ca: boolean; readonly namespace?: string },
): InCluster {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env
  if (!host || !port) {
    return { not: `not inside a cluster: ${host ? 'KUBERNETES_SERVICE_PORT' : 'KUBERNETES_SERVICE_HOST'} is not set` }
  }
  const token = join(folder, 'token')
  if (!found.token) return { not: `not inside a cluster with a service account: ${token} is not there` }
  return {
    config: {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      ...(found.ca && { ca: { file: join(folder, 'ca.crt') } }),
      ...(found.namespace !== undefined && { namespace: found.namespace }),
      user: { name: 'service account', token: { file: token } },
      origin: `the service account in ${folder}`,
    },
  }
}
