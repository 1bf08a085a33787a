/** One look at all kinds of a server: in two answers from newer ones, group by group from others. */
import { type Call, isFault } from '@gantry/core'
import type { Resource } from './api.ts'
import { type Found, fromAggregated, fromResourceList } from './discovery-read.ts'
import { rootOf } from './paths.ts'
import { ifThere, jsonOf } from './questions.ts'
import type { AggregatedDiscovery, GroupList, ResourceList, VersionList } from './types/discovery.ts'
import type { Wire } from './wire.ts'

export type Kinds = {
  /** By `apiVersion kind`, in all versions. */
  readonly byName: ReadonlyMap<string, Resource>
  readonly preferred: readonly Resource[]
  /** Groups whose own server is away. */
  readonly unavailable: readonly string[]
}

/** The last one is for a server that does not know the others. */
const accept = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat('application/json')
  .join(',')

export async function lookForKinds(wire: Wire, call: Call): Promise<Kinds> {
  const [core, groups] = await Promise.all([
    jsonOf<AggregatedDiscovery | VersionList>(wire, { method: 'GET', path: '/api', accept }, call),
    jsonOf<AggregatedDiscovery | GroupList>(wire, { method: 'GET', path: '/apis', accept }, call),
  ])
  const found = await Promise.all([
    core.kind === 'APIGroupDiscoveryList' ? fromAggregated(core) : oneByOne(wire, coreVersions(core), call),
    groups.kind === 'APIGroupDiscoveryList' ? fromAggregated(groups) : oneByOne(wire, groupVersions(groups), call),
  ])
  return gathered(found.flat())
}

export function gathered(found: readonly Found[]): Kinds {
  const byName = new Map<string, Resource>()
  for (const { apiVersion, resources } of found) {
    for (const { resource } of resources) byName.set(`${apiVersion} ${resource.kind}`, resource)
  }
  // In the first version of a group that has it, which is the one that the server prefers.
  const preferred = new Map<string, Resource>()
  for (const { resources } of found) {
    for (const { resource, verbs } of resources) {
      const name = `${resource.group} ${resource.kind}`
      if (verbs.includes('list') && !preferred.has(name)) preferred.set(name, resource)
    }
  }
  const unavailable = found.filter(({ away }) => away).map(({ apiVersion }) => apiVersion)
  return { byName, preferred: [...preferred.values()], unavailable }
}

type GroupVersion = { readonly group: string; readonly version: string }

function coreVersions({ versions }: VersionList): readonly GroupVersion[] {
  return versions.map((version) => ({ group: '', version }))
}

function groupVersions({ groups }: GroupList): readonly GroupVersion[] {
  return groups.flatMap(({ name: group, versions, preferredVersion }) => {
    const all = versions.map(({ version }) => version)
    const first = preferredVersion?.version
    const ordered = first === undefined ? all : [first, ...all.filter((each) => each !== first)]
    return ordered.map((version) => ({ group, version }))
  })
}

function oneByOne(wire: Wire, versions: readonly GroupVersion[], call: Call): Promise<readonly Found[]> {
  return Promise.all(
    versions.map(async ({ group, version }): Promise<Found> => {
      const apiVersion = group === '' ? version : `${group}/${version}`
      try {
        const path = rootOf({ group, version })
        const list = await ifThere(jsonOf<ResourceList>(wire, { method: 'GET', path }, call))
        return { apiVersion, resources: list ? fromResourceList(list, { group, version }) : [], away: false }
      } catch (error) {
        if (!isFault(error, 'unavailable')) throw error
        return { apiVersion, resources: [], away: true }
      }
    }),
  )
}
