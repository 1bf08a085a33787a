import { describe, expect, it } from 'vitest'
import { confine, scopesOf } from './confine.ts'
import { rankOfKind } from './kinds.ts'
import { type Confinement, confined } from './manifests.ts'
import { readSet } from './read/read-set.ts'

const crd = (scope: string): string =>
  `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: x}, spec: {group: g.example, scope: ${scope}, names: {kind: Toy}}}\n---\n`
const one = (apiVersion: string, kind: string, namespace?: string): string =>
  `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: x${namespace ? `, namespace: ${namespace}` : ''}}}\n`

function refused(text: string, allow: Confinement = confined): string[] {
  const { objects, issues } = readSet(text)
  expect(issues).toEqual([])
  const place = { tenant: 'acme', namespace: 'gantry-acme', allow }
  return confine(objects, scopesOf(objects), place).map(({ path }) => path.replace('source.manifests', ''))
}

const everything: Confinement = { clusterScoped: ['*'], namespaces: {} }
const some: Confinement = { clusterScoped: ['other', 'acme'], namespaces: { acme: ['shared'] } }

describe('a tenant', () => {
  it.each<[string, string, Confinement, string[]]>([
    ['has objects that name no namespace', one('v1', 'ConfigMap'), confined, []],
    ['has objects that name its own', one('v1', 'ConfigMap', 'gantry-acme'), confined, []],
    ['has none in another', one('v1', 'ConfigMap', 'kube-system'), confined, ['[doc 1] ConfigMap/x']],
    ['has some in one that it was given', one('v1', 'ConfigMap', 'shared'), some, []],
    ['has none in a third', one('v1', 'ConfigMap', 'kube-system'), some, ['[doc 1] ConfigMap/x']],
    [
      'has none of the whole cluster',
      one('rbac.authorization.k8s.io/v1', 'ClusterRole'),
      confined,
      ['[doc 1] ClusterRole/x'],
    ],
    ['has no namespace', one('v1', 'Namespace'), confined, ['[doc 1] Namespace/x']],
    ['has such where it may', one('rbac.authorization.k8s.io/v1', 'ClusterRole'), some, []],
    ['has such where everybody may', one('v1', 'Namespace'), everything, []],
    [
      'may not leave its namespace for that',
      one('v1', 'ConfigMap', 'kube-system'),
      everything,
      ['[doc 1] ConfigMap/x'],
    ],
    [
      'is not another that is called like a word of JavaScript',
      one('v1', 'ConfigMap', 'a'),
      { clusterScoped: [], namespaces: {} },
      ['[doc 1] ConfigMap/x'],
    ],
    [
      'defines no kinds',
      crd('Namespaced') + one('g.example/v1', 'Toy'),
      confined,
      ['[doc 1] CustomResourceDefinition/x'],
    ],
    [
      'has none of a kind of the whole cluster that the set defines',
      crd('Cluster') + one('g.example/v1', 'Toy'),
      confined,
      ['[doc 1] CustomResourceDefinition/x', '[doc 2] Toy/x'],
    ],
    ['is not judged for kinds that only the cluster knows', one('g.example/v1', 'Toy'), confined, []],
    ['is judged by the namespace of those at once', one('g.example/v1', 'Toy', 'other'), confined, ['[doc 1] Toy/x']],
  ])('%s', (_, text, allow, paths) => {
    expect(refused(text, allow)).toEqual(paths)
  })
})

describe('the order of kinds', () => {
  it('is that of who needs whom', () => {
    const order = [
      ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
      ['v1', 'ServiceAccount'],
      ['rbac.authorization.k8s.io/v1', 'Role'],
      ['rbac.authorization.k8s.io/v1', 'RoleBinding'],
      ['v1', 'Secret'],
      ['v1', 'PersistentVolumeClaim'],
      ['v1', 'Service'],
      ['apps/v1', 'Deployment'],
      ['networking.k8s.io/v1', 'Ingress'],
      ['example.com/v1', 'Anything'],
      ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'],
    ] as const
    const ranks = order.map(([apiVersion, kind]) => rankOfKind(apiVersion, kind))
    expect(ranks).toEqual([...ranks].sort((left, right) => left - right))
    expect(new Set(ranks).size).toBe(ranks.length)
    expect(rankOfKind('v1', 'Namespace')).toBe(ranks[0])
    expect(rankOfKind('apiregistration.k8s.io/v1', 'APIService')).toBe(ranks.at(-1))
    // A kind of another group that is called like one of ours is none of ours.
    expect(rankOfKind('serving.example/v1', 'Service')).toBe(rankOfKind('example.com/v1', 'Anything'))
  })
})
