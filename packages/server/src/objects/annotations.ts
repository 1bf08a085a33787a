/** Notes that the server keeps on objects for itself. They die with the object, are never shown, and nobody else writes them. */
import type { GantryObject } from '@gantry/core'
import { type CommandResult, storedText } from '@gantry/store'

type Notes = Readonly<Record<string, string>>

/** What was last applied, as it was written. */
export const lastAppliedNote = 'gantry.dev/last-applied'
/** Who changed what since then: path to name. */
export const changedByNote = 'gantry.dev/changed-by'
/** Who asked for what it runs; see `asked-by.ts`. */
export const askedByNote = 'gantry.dev/asked-by'

const own: ReadonlySet<string> = new Set([lastAppliedNote, changedByNote, askedByNote])

export function publicNotes(annotations: Notes): Notes {
  if (!hasOwnNotes(annotations)) return annotations
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !own.has(key)))
}

export function ownNotes(annotations: Notes): Notes {
  if (!hasOwnNotes(annotations)) return {}
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => own.has(key)))
}

function hasOwnNotes(annotations: Notes): boolean {
  return askedByNote in annotations || lastAppliedNote in annotations || changedByNote in annotations
}

/** The object as others see it. */
export function view<Seen extends GantryObject>(object: Seen): Seen {
  const { annotations } = object.metadata
  if (!hasOwnNotes(annotations)) return object
  return { ...object, metadata: { ...object.metadata, annotations: publicNotes(annotations) } }
}

const texts = new WeakMap<GantryObject, string>()

/** As JSON: as it is stored, where nothing is to be left out. The many watchers of one change share one object, and so one text. */
export function viewText(object: GantryObject): string {
  const known = texts.get(object)
  if (known !== undefined) return known
  const text =
    (hasOwnNotes(object.metadata.annotations) ? undefined : storedText(object)) ?? JSON.stringify(view(object))
  texts.set(object, text)
  return text
}

/** What a write came to, as JSON and as others see it. */
export function resultText({ about, text, object }: CommandResult): string {
  return hasOwnNotes(about.metadata.annotations) ? viewText(object) : text
}

export function jsonNote(annotations: Notes, key: string): unknown {
  const text = annotations[key]
  return text === undefined ? undefined : JSON.parse(text)
}
