import { describe, expect, it } from 'vitest'
import { gathered } from './discovery-look.ts'
import { fromAggregated, fromResourceList } from './discovery-read.ts'

const verbs = ['get', 'list']

describe('kinds of a server', () => {
  const found = fromAggregated({
    kind: 'APIGroupDiscoveryList',
    items: [
      {
        metadata: {},
        versions: [
          {
            version: 'v1',
            resources: [
              { resource: 'pods', responseKind: { kind: 'Pod' }, scope: 'Namespaced', verbs },
              { resource: 'bindings', responseKind: { kind: 'Binding' }, scope: 'Namespaced', verbs: ['create'] },
              { resource: 'odd', scope: 'Namespaced', verbs: [] },
            ],
          },
        ],
      },
      {
        metadata: { name: 'stable.example' },
        versions: [
          {
            version: 'v2',
            freshness: 'Current',
            resources: [{ resource: 'things', responseKind: { kind: 'Thing' }, scope: 'Cluster', verbs }],
          },
          {
            version: 'v1',
            resources: [{ resource: 'things', responseKind: { kind: 'Thing' }, scope: 'Namespaced', verbs }],
          },
        ],
      },
      { metadata: { name: 'metrics.k8s.io' }, versions: [{ version: 'v1beta1', freshness: 'Stale' }] },
    ],
  })
  const { byName, preferred, unavailable } = gathered(found)

  it('are found by version and kind, in all versions', () => {
    const thing = { group: 'stable.example', kind: 'Thing', plural: 'things' }
    expect(byName.get('v1 Pod')).toEqual({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true })
    expect(byName.get('stable.example/v2 Thing')).toEqual({ ...thing, version: 'v2', namespaced: false })
    expect(byName.get('stable.example/v1 Thing')).toEqual({ ...thing, version: 'v1', namespaced: true })
    expect(byName.get('v1 Thing')).toBeUndefined()
  })

  it('are listed in the version that the server prefers, if they can be; a group that is away is named', () => {
    expect(preferred.map(({ version, kind }) => `${version} ${kind}`)).toEqual(['v1 Pod', 'v2 Thing'])
    expect(unavailable).toEqual(['metrics.k8s.io/v1beta1'])
  })

  it('are none where it is a subresource', () => {
    const resources = ['pods', 'pods/log'].map((name) => ({ name, kind: 'Pod', namespaced: true, verbs }))
    const list = fromResourceList({ kind: 'APIResourceList', resources }, { group: '', version: 'v1' })
    expect(list.map(({ resource }) => resource.plural)).toEqual(['pods'])
  })
})
