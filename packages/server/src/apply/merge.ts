/** What a wish makes of what is there: pure. */
import { asWritten, type Change, canonicalJson, isFault, kinds, type Manifest, merge3, type Revert } from '@gantry/core'
import { jsonNote, lastAppliedNote, ownNotes, publicNotes, view } from '../objects/annotations.ts'
import { askedByNotes } from '../objects/asked-by.ts'
import { changesBetween, whoChanged, withoutChangedBy } from '../objects/changes.ts'
import type { Live, Wish } from './wish.ts'
import { withoutDefaults } from './without-defaults.ts'

type Applied = {
  readonly spec: unknown
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** A revert, and by whom what is reverted was set, as far as is known. */
export type KnownRevert = Revert & { readonly by?: string }

export type Outcome = {
  readonly manifest: Manifest
  readonly changes: readonly Change[]
  readonly reverts: readonly KnownRevert[]
  /** The server's own notes to go with it. */
  readonly notes: Readonly<Record<string, string>>
}

export function outcomeOf(wish: Wish, live: Live, by: string): Outcome {
  const { kind, manifest, written } = wish
  const { labels, annotations } = manifest.metadata
  const file: Applied = { spec: asWritten(written.spec, manifest.spec), labels, annotations: publicNotes(annotations) }
  const fileText = canonicalJson(file)
  const notesOf = (after: unknown) => ({
    [lastAppliedNote]: fileText,
    ...askedByNotes(kind, { before: live, after }, { by }),
  })
  if (!live) {
    return { manifest, changes: changesBetween(undefined, manifest), reverts: [], notes: notesOf(manifest.spec) }
  }
  const now = view(live)
  const isSameFile = live.metadata.annotations[lastAppliedNote] === fileText
  // The usual case of a file that is applied again and again, and the one that has to be quick.
  if (isSameFile && changesBetween(now, manifest).length === 0) {
    return { manifest, changes: [], reverts: [], notes: ownNotes(live.metadata.annotations) }
  }
  const last = jsonNote(live.metadata.annotations, lastAppliedNote) as Applied | undefined
  const { variants = [] } = kinds[kind]
  const base = last
    ? withoutDefaults(now.spec, isSameFile ? manifest.spec : completed(wish, last), last.spec)
    : now.spec
  const spec = merge3(last?.spec, file.spec, base, { base: ['spec'], variants })
  const merged = {
    labels: merge3(last?.labels, file.labels, now.metadata.labels, { base: ['metadata', 'labels'] }),
    annotations: merge3(last?.annotations, file.annotations, now.metadata.annotations, {
      base: ['metadata', 'annotations'],
    }),
  }
  const metadata = { ...wish.manifest.metadata, labels: merged.labels.value, annotations: merged.annotations.value }
  const whole = kinds[kind].parse({ apiVersion: 'gantry/v1', kind, metadata, spec: spec.value }) as Manifest
  const reverts = [...spec.reverts, ...merged.labels.reverts, ...merged.annotations.reverts].map((revert) => {
    const by = whoChanged(live, revert.path)
    return by === undefined ? revert : { ...revert, by }
  })
  const changes = changesBetween(now, whole)
  return { manifest: whole, changes, reverts, notes: { ...notesOf(whole.spec), ...withoutChangedBy(live, changes) } }
}

/** What was last applied, with the defaults of today; left as it was written if it would no longer be accepted. */
function completed({ kind, key }: Wish, last: Applied): unknown {
  try {
    return kinds[kind].parse({ apiVersion: 'gantry/v1', kind, metadata: { name: key.name }, spec: last.spec }).spec
  } catch (error) {
    if (isFault(error, 'invalid')) return last.spec
    throw error
  }
}
