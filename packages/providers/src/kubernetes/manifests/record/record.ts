/**
 * What is remembered of a set, on the cluster itself: every object that may be there because of us. It is written before the
 * first of them is made, and an object leaves it only when it was seen to be gone; so a death at any point leaks nothing.
 */
import type { Ref } from '../../../ref.ts'
import type { Resource } from '../../api/api.ts'

/** On everything of a set, the record included: tells it from objects that Gantry itself describes. */
export const setLabel = 'gantry.dev/set'
export const setKind = 'manifests'

/** Who owns the fields that we apply. */
export const fieldManager = 'gantry-manifests'

export type SetRecord = {
  readonly ref: Ref
  /** The tenant's, where the record itself is. */
  readonly namespace: string
  readonly release: string
  readonly specHash: string
  readonly run: 'running' | 'stopped'
  /** Whether all of this release was applied once; until then it cannot be ready. */
  readonly applied: boolean
  /** In the templates of pods since somebody asked for a restart; stays, since taking it out would be another one. */
  readonly restart?: string
  readonly entries: readonly Entry[]
}

export type Entry = {
  readonly resource: Resource
  readonly namespace?: string
  readonly name: string
  /** Once it is known which one it is. */
  readonly uid?: string
  /** Of what was applied last, and of the fields that were ours after it: equal to both means nothing to do. */
  readonly applied?: string
  readonly owned?: string
  /** It was there before us: our fields leave it, and it stays. */
  readonly adopted?: true
  /** Not part of the set any more, but not gone yet either. */
  readonly leaving?: true
}

type Place = Pick<Entry, 'resource' | 'namespace' | 'name'>

/** One text for one object, whichever version of its kind it was written in. */
export const entryId = ({ resource, namespace, name }: Place): string =>
  `${resource.group}/${resource.kind}/${namespace ?? ''}/${name}`

/** As an object is called among those of its set: `deployment/web`, and `other.deployment/web` outside of the tenant's place. */
export const shownName = ({ resource, namespace, name }: Place, home: string): string =>
  `${namespace !== undefined && namespace !== home ? `${namespace}.` : ''}${resource.kind.toLowerCase()}/${name}`

/** Those that differ only in the group of their kind have it in their names. */
export function shownNames(entries: readonly Entry[], home: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const entry of entries) {
    const plain = shownName(entry, home)
    const { group, kind } = entry.resource
    const kindName = `${kind.toLowerCase()}.${group}`
    const name = taken.has(plain) ? plain.replace(`${kind.toLowerCase()}/`, `${kindName}/`) : plain
    taken.add(name)
    names.set(entryId(entry), name)
  }
  return names
}

export const sameEntry = (left: Entry, right: Entry): boolean =>
  left.uid === right.uid &&
  left.applied === right.applied &&
  left.owned === right.owned &&
  left.adopted === right.adopted &&
  left.leaving === right.leaving &&
  left.resource.version === right.resource.version
