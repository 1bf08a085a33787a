/** Notes that the server keeps on objects for itself. They die with the object, are never shown, and nobody else writes them. */
import type { GantryObject } from '@gantry/core'

type Notes = Readonly<Record<string, string>>

/** What was last applied, as it was written. */
export const lastAppliedNote = 'gantry.dev/last-applied'
/** Who changed what since then: path to name. */
export const changedByNote = 'gantry.dev/changed-by'

const own: ReadonlySet<string> = new Set([lastAppliedNote, changedByNote])

export function publicNotes(annotations: Notes): Notes {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !own.has(key)))
}

export function ownNotes(annotations: Notes): Notes {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => own.has(key)))
}

/** The object as others see it. */
export function view<Seen extends GantryObject>(object: Seen): Seen {
  const { annotations } = object.metadata
  if (!(lastAppliedNote in annotations) && !(changedByNote in annotations)) return object
  return { ...object, metadata: { ...object.metadata, annotations: publicNotes(annotations) } }
}

const texts = new WeakMap<GantryObject, string>()

/** As JSON. The many watchers of one change share one object, and so one text. */
export function viewText(object: GantryObject): string {
  const text = texts.get(object) ?? JSON.stringify(view(object))
  texts.set(object, text)
  return text
}

export function jsonNote(annotations: Notes, key: string): unknown {
  const text = annotations[key]
  return text === undefined ? undefined : JSON.parse(text)
}
