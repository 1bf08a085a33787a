/** Pure: who may have objects where. A tenant's set stays in the tenant's namespace, unless the Provider lets it out. */
import type { Issue } from '@gantry/core'
import { listAt, textAt } from './fields.ts'
import { namespacedByKind } from './kinds.ts'
import type { Confinement } from './manifests.ts'
import { groupOf, pathOf, type SetObject } from './set-object.ts'

export type Place = { readonly tenant: string; readonly namespace: string; readonly allow: Confinement }

/** `undefined`: only the cluster knows, and it is asked before anything is touched. */
export type ScopeOf = (apiVersion: string, kind: string) => boolean | undefined

export function confine(objects: readonly SetObject[], scopeOf: ScopeOf, place: Place): Issue[] {
  return objects.flatMap((one) => {
    const message = outside(one, scopeOf(one.apiVersion, one.kind), place)
    return message === undefined ? [] : [{ path: pathOf(one), message, line: one.line }]
  })
}

function outside(one: SetObject, namespaced: boolean | undefined, place: Place): string | undefined {
  const { tenant, namespace, allow } = place
  if (namespaced === false) {
    if (allow.clusterScoped.includes('*') || allow.clusterScoped.includes(tenant)) return undefined
    return `is in no namespace but of the whole cluster, which tenant ${tenant} may not change here; a Provider's kubernetes.allow.clusterScoped says who may`
  }
  const named = one.namespace
  if (named === undefined || named === namespace) return undefined
  const others = Object.hasOwn(allow.namespaces, tenant) ? (allow.namespaces[tenant] ?? []) : []
  if (others.includes(named)) return undefined
  return `names the namespace ${named}; objects of tenant ${tenant} go to ${namespace}. Leave it out, or let a Provider's kubernetes.allow.namespaces name it`
}

/** What is known of a scope without the cluster: of kinds that are built in, and of those that the set itself defines. */
export function scopesOf(objects: readonly SetObject[]): ScopeOf {
  const own = new Map<string, boolean>()
  for (const { kind, apiVersion, object } of objects) {
    if (kind !== 'CustomResourceDefinition' || groupOf(apiVersion) !== 'apiextensions.k8s.io') continue
    const defined = textAt(object, 'spec', 'names', 'kind')
    own.set(`${textAt(object, 'spec', 'group')}/${defined}`, textAt(object, 'spec', 'scope') !== 'Cluster')
  }
  return (apiVersion, kind) => namespacedByKind(apiVersion, kind) ?? own.get(`${groupOf(apiVersion)}/${kind}`)
}

/** The kinds that definitions of the set will make, by `apiVersion/Kind`: the cluster need not know them yet. */
export function definedKinds(objects: readonly SetObject[]): ReadonlyMap<string, SetObject> {
  const found = new Map<string, SetObject>()
  for (const one of objects) {
    if (one.kind !== 'CustomResourceDefinition' || groupOf(one.apiVersion) !== 'apiextensions.k8s.io') continue
    const group = textAt(one.object, 'spec', 'group')
    const kind = textAt(one.object, 'spec', 'names', 'kind')
    for (const version of listAt(one.object, 'spec', 'versions')) {
      found.set(`${group}/${textAt(version, 'name')}/${kind}`, one)
    }
  }
  return found
}
