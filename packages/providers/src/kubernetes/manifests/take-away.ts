/** Objects that are to go: in the reverse of the order they came in, by uid, and only where they carry the labels of their set. */
import type { Call } from '@gantry/core'
import type { ObjectsApi } from '../api/api.ts'
import { apiVersionOf } from '../api/resources.ts'
import type { KubeObject } from '../api/types/meta.ts'
import { makesPods, rankOfKind } from './kinds.ts'
import { forMany } from './many.ts'
import { type Entry, entryId, fieldManager, shownName } from './record/record.ts'
import { surveyOwn } from './survey.ts'

export type TakenAway = {
  /** By id: seen not to be there any more, or not to be ours. */
  readonly gone: ReadonlySet<string>
  /** Reads well after "waiting for"; `undefined`: all are gone. */
  readonly waiting: string | undefined
}

export type TakeAwayParts = { readonly objects: ObjectsApi; readonly selector: string; readonly home: string }

export async function takeAway(
  { objects, selector, home }: TakeAwayParts,
  entries: readonly Entry[],
  call: Call,
): Promise<TakenAway> {
  const own = await surveyOwn(objects, entries, selector, call)
  const gone = new Set(entries.filter((entry) => !isOurs(entry, own.get(entryId(entry)))).map(entryId))
  for (const wave of wavesBack(entries.filter((entry) => !gone.has(entryId(entry))))) {
    const left = await forMany(wave, (entry) => removeOne(objects, entry, own.get(entryId(entry)) as KubeObject, call))
    const kept: string[] = []
    wave.forEach((entry, at) => {
      const still = left[at]
      if (still === undefined) gone.add(entryId(entry))
      else kept.push(`${shownName(entry, home)} to be gone${keptBy(still)}`)
    })
    // What this one needs to go must still be there: a custom resource its definition, a claim its pods' end.
    if (kept.length > 0) return { gone, waiting: listOf(kept) }
  }
  return { gone, waiting: undefined }
}

/** Another object with the name, or one that lost our labels, is somebody else's by now. */
const isOurs = ({ uid }: Entry, found: KubeObject | undefined): boolean =>
  found !== undefined && (uid === undefined || uid === found.metadata.uid)

async function removeOne(
  objects: ObjectsApi,
  entry: Entry,
  found: KubeObject,
  call: Call,
): Promise<KubeObject | undefined> {
  const { resource, name, namespace, adopted } = entry
  const at = { resource, name, ...(namespace === undefined ? {} : { namespace }) }
  const apiVersion = apiVersionOf(resource)
  const { uid, deletionTimestamp } = found.metadata
  if (adopted) {
    // All that we say of it is which one it is, so our fields and labels leave it. With its uid it is not made again.
    const bare = { apiVersion, kind: resource.kind, metadata: { name, ...(namespace && { namespace }), uid } }
    await objects.apply(at, bare, { fieldManager, force: false }, call)
    return undefined
  }
  // Somebody has asked already; asked again, a pod would begin its grace anew.
  if (deletionTimestamp !== undefined) return found
  const propagation = makesPods(apiVersion, resource.kind) ? 'foreground' : 'background'
  return await objects.delete(at, { propagation, ...(uid === undefined ? {} : { uid }) }, call)
}

function wavesBack(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const waves = new Map<number, Entry[]>()
  for (const entry of entries) {
    const rank = rankOfKind(apiVersionOf(entry.resource), entry.resource.kind)
    waves.set(rank, [...(waves.get(rank) ?? []), entry])
  }
  return [...waves].sort(([left], [right]) => right - left).map(([, wave]) => wave)
}

/** Finalizers of the garbage collector only say that what it made goes first. */
const collector = new Set(['foregroundDeletion', 'orphan'])

function keptBy({ metadata }: KubeObject): string {
  const others = (metadata.finalizers ?? []).filter((each) => !collector.has(each))
  return others.length > 0 ? `, which the finalizer ${others.join(', ')} keeps` : ''
}

const mostNamed = 3

export const listOf = (texts: readonly string[]): string =>
  texts.length <= mostNamed
    ? texts.join('; ')
    : `${texts.slice(0, mostNamed).join('; ')} and ${texts.length - mostNamed} more`
