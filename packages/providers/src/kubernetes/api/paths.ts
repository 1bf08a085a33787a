/** Pure: where things are on a server. */
import { Fault } from '@gantry/core'
import type { Collection, ContainerAt, ObjectAt, Resource } from './api.ts'

const escaped = encodeURIComponent

export function rootOf({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}

export function collectionPath({ resource, namespace }: Collection): string {
  const within = resource.namespaced && namespace !== undefined ? `/namespaces/${escaped(namespace)}` : ''
  return `${rootOf(resource)}${within}/${resource.plural}`
}

export function objectPath({ resource, namespace, name }: ObjectAt, subresource?: string): string {
  // Without it the path would be one that is never there, and everything would look absent.
  if (resource.namespaced && !namespace)
    throw new Fault('engine_rejected', `A ${resource.kind} is in a namespace; name it`)
  const of = namespace === undefined ? { resource } : { resource, namespace }
  return `${collectionPath(of)}/${escaped(name)}${subresource === undefined ? '' : `/${subresource}`}`
}

export function podPath({ namespace, pod }: Pick<ContainerAt, 'namespace' | 'pod'>, what?: string): string {
  return `/api/v1/namespaces/${escaped(namespace)}/pods/${escaped(pod)}${what === undefined ? '' : `/${what}`}`
}
