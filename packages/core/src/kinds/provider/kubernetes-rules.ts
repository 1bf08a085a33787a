/** What must hold between the settings of a provider of type kubernetes. */
import type { Finding } from '../../validation/issues.ts'
import { everyTenant, type ProviderSpec } from './spec.ts'

export function oneKubeconfig({ kubernetes }: ProviderSpec): Finding[] {
  const config = kubernetes?.kubeconfig
  if (!config || (config.path === undefined) !== (config.secret === undefined)) return []
  const has = config.path === undefined ? 'neither' : 'both'
  return [{ path: ['kubernetes', 'kubeconfig'], message: `must have one of path and secret, and has ${has}` }]
}

/** Who says that it is the cluster around the server must not end up in another one. */
export function inClusterAlone({ kubernetes }: ProviderSpec): Finding[] {
  if (kubernetes?.inCluster !== true) return []
  const rest = (['kubeconfig', 'context'] as const).filter((field) => kubernetes[field] !== undefined)
  return rest.map((field) => ({
    path: ['kubernetes', field],
    message: 'has no meaning with inCluster, which is the account of the pod around the server; leave out one of them',
  }))
}

export function oneWayOfNamespaces({ kubernetes }: ProviderSpec): Finding[] {
  if (kubernetes?.namespace === undefined || kubernetes.namespacePrefix === undefined) return []
  const path = ['kubernetes', 'namespacePrefix']
  return [
    { path, message: 'is for namespaces of tenants, and namespace says that all share one; leave out one of them' },
  ]
}

/** What is allowed to nobody who may come would look as if it were in force. */
export function allowedOnesMayCome({ kubernetes, tenants }: ProviderSpec): Finding[] {
  if (!kubernetes?.allow || tenants.includes(everyTenant)) return []
  const { clusterScoped, namespaces } = kubernetes.allow
  const isServed = (tenant: string): boolean => tenant === everyTenant || tenants.includes(tenant)
  const message = (tenant: string): string => `"${tenant}" is not among spec.tenants, so this would allow nothing`
  return [
    ...clusterScoped.flatMap((tenant, at): Finding[] =>
      isServed(tenant) ? [] : [{ path: ['kubernetes', 'allow', 'clusterScoped', at], message: message(tenant) }],
    ),
    ...Object.keys(namespaces).flatMap((tenant): Finding[] =>
      isServed(tenant) ? [] : [{ path: ['kubernetes', 'allow', 'namespaces', tenant], message: message(tenant) }],
    ),
  ]
}

export const kubernetesRules = [oneKubeconfig, inClusterAlone, oneWayOfNamespaces, allowedOnesMayCome] as const
