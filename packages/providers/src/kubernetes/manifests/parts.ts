/** What the passes over sets share. */
import { Fault, type Issue } from '@gantry/core'
import { ownerLabels } from '../../labels.ts'
import type { Ref } from '../../ref.ts'
import { ownRooms, type Rooms } from '../room/rooms.ts'
import { confine, type Place, scopesOf } from './confine.ts'
import type { SetOptions } from './manifests.ts'
import { KnownDocuments } from './read/pieces.ts'
import { type ReadSet, readSet } from './read/read-set.ts'
import { mostObjects } from './record/content.ts'
import { setKind, setLabel } from './record/record.ts'
import { type RecordStore, recordStore } from './record/store.ts'
import type { SetObject } from './set-object.ts'
import { setSelector } from './survey.ts'
import type { SetTimes } from './view/observed-of.ts'

export type SetParts = {
  readonly options: SetOptions
  readonly records: RecordStore
  readonly texts: Texts
  readonly ready: ReadyTimes
  readonly rooms: Rooms
  /** Times of one set that no object tells, as they were first seen. */
  readonly times: (key: string, of: string, now: Date) => SetTimes
}

export function setParts(options: SetOptions): SetParts {
  const records = recordStore(options.api.objects, options.installation)
  const ready = new ReadyTimes()
  const stalls = new Map<string, { readonly message: string; readonly at: Date }>()
  return {
    options,
    records,
    texts: new Texts(),
    ready,
    rooms: options.rooms ?? ownRooms(options),
    times: (key, of, now) => ({
      readySince: (isReady, own) => ready.note(key, of, isReady, own, now),
      stalledSince(stall) {
        const known = stalls.get(key)
        if (!stall) stalls.delete(key)
        if (!stall || known?.message === stall.message) return known?.at ?? now
        stalls.set(key, { message: stall.message, at: now })
        return now
      },
    }),
  }
}

export function placeOf({ namespaceOf, allow }: SetOptions, tenant: string): Place {
  return { tenant, namespace: namespaceOf(tenant), allow }
}

/** On every object of the set. */
export const ownerOf = ({ installation }: SetOptions, ref: Ref): Readonly<Record<string, string>> => ({
  ...ownerLabels(installation, ref),
  [setLabel]: setKind,
})

export const selectorOf = ({ installation }: SetOptions, ref: Ref): string => setSelector(installation, ref)

/** The same text is asked about at every pass, and read once. */
export class Texts {
  readonly #known = new Map<string, ReadSet>()
  readonly #documents = new KnownDocuments()

  read(text: string): ReadSet {
    const known = this.#known.get(text)
    if (known) return known
    const read = readSet(text, this.#documents)
    if (this.#known.size >= mostTexts) this.#known.delete(this.#known.keys().next().value ?? '')
    this.#known.set(text, read)
    return read
  }
}

const mostTexts = 64

/** All that can be said against a set without its cluster. */
export function issuesOf({ objects, issues }: ReadSet, place: Place): readonly Issue[] {
  const tooMany =
    objects.length > mostObjects
      ? [{ path: 'source.manifests', message: `has more than ${mostObjects} objects; split it into several workloads` }]
      : []
  return [...issues, ...tooMany, ...confine(objects, scopesOf(objects), place)]
}

export function objectsIn(read: ReadSet, place: Place): readonly SetObject[] {
  const issues = issuesOf(read, place)
  if (issues.length === 0) return read.objects
  const list = issues
    .slice(0, 5)
    .map(({ path, message, line }) => `${path}${line === undefined ? '' : ` (line ${line})`} ${message}`)
    .join('; ')
  throw new Fault('bad_document', `The manifests cannot be used: ${list}`, { issues })
}

/** Since when sets were seen ready without a break, by instance: no object says that of several. */
export class ReadyTimes {
  readonly #since = new Map<string, { readonly of: string; readonly since: Date }>()

  /** `own`: what the objects say themselves, which counts where all of them do. */
  note(key: string, of: string, ready: boolean, own: readonly (Date | undefined)[], now: Date): Date | undefined {
    if (!ready) {
      this.#since.delete(key)
      return undefined
    }
    const known = this.#since.get(key)
    if (known?.of === of) return known.since
    const times = own.flatMap((each) => each?.getTime() ?? [])
    const since = times.length === own.length && times.length > 0 ? new Date(Math.max(...times)) : now
    this.#since.set(key, { of, since })
    return since
  }

  forget(key: string): void {
    this.#since.delete(key)
  }
}
