/**
 * Pure: what things of ours are called on a cluster. Never from the uid, so that a StatefulSet finds the claims that the one
 * before it of that name has left; the uid is a label.
 */
import { derivedName, sha256Hex } from '@gantry/core'
import type { Ref } from '../ref.ts'
import type { NamespaceChoice } from './plan/settings.ts'

const longestLabel = 63

export function namespaceName(namespaces: NamespaceChoice, tenant: string): string {
  if ('shared' in namespaces) return namespaces.shared
  const joined = `${namespaces.prefix}-${tenant}`
  return joined.length <= longestLabel ? joined : derivedName(namespaces.prefix, tenant)
}

/**
 * Of the Deployment or StatefulSet, its Service and its budget: at most 51 characters, since a StatefulSet with more than 52
 * makes no pod. The hash is over the whole name too: names of claims begin with that of a volume, and `data` of `x-web` must
 * not be `data-x` of `web`.
 */
export function instanceName(installation: string, { tenant, workload, slot }: Omit<Ref, 'uid'>): string {
  const hash = sha256Hex(JSON.stringify([installation, tenant, workload, slot])).slice(0, 8)
  return `${workload}-${slot}-${hash}`
}

/** Of the workload as a whole, plain where the tenant has a namespace to itself: how its neighbours find it. */
export function workloadServiceName(
  namespaces: NamespaceChoice,
  { tenant, workload }: Omit<Ref, 'uid' | 'slot'>,
): string {
  return 'shared' in namespaces ? derivedName(workload, tenant) : workload
}

/** Of the Service that gives each pod of a StatefulSet an address of its own. */
export const governingName = (instance: string): string => `${instance}-pods`

/** As the StatefulSet itself calls it. */
export const claimName = (volume: string, instance: string, ordinal: number): string =>
  `${volume}-${instance}-${ordinal}`

/**
 * Another one for another spec, since pods of both are there during a rollout, and a file that is mounted by itself never
 * follows its object. From the hash of the spec, and never of a value: names are shown.
 */
export const contentName = (instance: string, kind: 'config' | 'secret', specHash: string, part: number): string =>
  `${instance}-${kind}-${sha256Hex(specHash).slice(0, 10)}${part === 0 ? '' : `-${part}`}`

/** The same for every spec: credentials may change without one. */
export const pullSecretName = (instance: string, service: string): string => `${instance}-pull-${service}`

/** Of a volume of ours in a pod. Names of users' begin with a letter. */
export const contentVolume = (kind: 'config' | 'secret', part: number): string =>
  part === 0 ? `0-${kind}` : `0-${kind}-${part}`

type Ported = { readonly name: string; readonly role: string; readonly ports: readonly { readonly name: string }[] }

/** Of ports in Services, by service and port: main's as they are written, others' with their service before them. */
export function portNames(services: readonly Ported[]): (service: string, port: string) => string {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const mainFirst = [...services].sort((left, right) => Number(right.role === 'main') - Number(left.role === 'main'))
  for (const { name: service, role, ports } of mainFirst) {
    for (const { name: port } of ports) {
      const wish = role === 'main' ? port : derivedName(service, port)
      const name = taken.has(wish) ? derivedName(service, port, 'port-of') : wish
      taken.add(name)
      names.set(`${service} ${port}`, name)
    }
  }
  return (service, port) => names.get(`${service} ${port}`) ?? port
}
