/** What a wish makes of what is there: pure. */
import { asWritten, type Change, canonicalJson, kinds, type Manifest, merge3, type Revert } from '@gantry/core'
import { jsonNote, lastAppliedNote, publicNotes, view } from '../objects/annotations.ts'
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
  const notesOf = (after: unknown) => ({
    [lastAppliedNote]: canonicalJson(file),
    ...askedByNotes(kind, { before: live, after }, { by }),
  })
  if (!live) {
    return { manifest, changes: changesBetween(undefined, manifest), reverts: [], notes: notesOf(manifest.spec) }
  }
  const last = jsonNote(live.metadata.annotations, lastAppliedNote) as Applied | undefined
  const now = view(live)
  const { variants = [] } = kinds[kind]
  const base = last ? withoutDefaults(now.spec, completed(wish, last), last.spec) : now.spec
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
  const document = { apiVersion: 'gantry/v1', kind, metadata: { name: key.name }, spec: last.spec }
  return kinds[kind].check(document).length === 0 ? kinds[kind].parse(document).spec : last.spec
}
