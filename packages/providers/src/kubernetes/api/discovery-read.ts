/** Pure: kinds out of the two ways in which a server tells them. Subresources are none. */
import type { Resource } from './api.ts'
import type { AggregatedDiscovery, ResourceList } from './types/discovery.ts'

export type Found = {
  readonly apiVersion: string
  readonly resources: readonly { readonly resource: Resource; readonly verbs: readonly string[] }[]
  /** Its own server does not answer, so nobody knows what it has. */
  readonly away: boolean
}

export function fromAggregated({ items }: AggregatedDiscovery): readonly Found[] {
  return items.flatMap(({ metadata, versions }) => {
    const group = metadata.name ?? ''
    return versions.map(({ version, resources = [], freshness }) => ({
      apiVersion: group === '' ? version : `${group}/${version}`,
      away: freshness === 'Stale',
      resources: resources.flatMap(({ resource: plural, responseKind, scope, verbs }) => {
        // One that has subresources only is named without a kind.
        if (!responseKind?.kind) return []
        const resource = { group, version, kind: responseKind.kind, plural, namespaced: scope === 'Namespaced' }
        return [{ resource, verbs }]
      }),
    }))
  })
}

export function fromResourceList(
  { resources }: ResourceList,
  { group, version }: { readonly group: string; readonly version: string },
): Found['resources'] {
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name: plural, kind, namespaced, verbs }) => ({
      resource: { group, version, kind, plural, namespaced },
      verbs,
    }))
}
