/** What is said of an object of any kind. */
import type { ObjectEvent } from '@gantry/api'
import type { AnyFace, Condition } from '@gantry/core'
import type { AnyObject } from '../../objects/access.ts'
import { age } from '../../output/age.ts'
import { nameOf } from '../../output/data.ts'
import { eventRow, eventTitles } from '../../output/event-table.ts'
import { type Field, fieldLines, moment, section } from '../../output/sections.ts'
import type { Style } from '../../output/style.ts'
import { type Cell, clean, table } from '../../output/table.ts'
import { specText } from './spec-text.ts'

export type Frame = { readonly now: number; readonly columns: number; readonly style: Style }

/** What a kind has to say beside: its own words for the spec, and what is inside of it. */
export type Inside = { readonly spec: string; readonly parts: string }

export type Described = {
  readonly face: AnyFace
  readonly object: AnyObject
  readonly events: readonly ObjectEvent[]
  /** How many there are beside those. */
  readonly more: number
  readonly inside: Inside | undefined
}

export async function objectText({ face, object, events, more, inside }: Described, frame: Frame): Promise<string> {
  const { style } = frame
  return [
    `${style.strong(`${face.kind} ${clean(object.metadata.name)}`)}\n`,
    fieldLines(metadataFields(object, frame.now), '  '),
    section('Seen', fieldLines(seenFields(face, object, frame.now))),
    section('Conditions', conditionTable(object.status.conditions ?? [], frame)),
    section('Asked for', inside?.spec ?? (await specText(object.spec))),
    inside?.parts ?? '',
    section('Events', eventTable(object, events, more, frame)),
  ].join('')
}

function metadataFields({ metadata, status }: AnyObject, now: number): Field[] {
  const { tenant, labels, annotations, createdAt, deletionRequestedAt, finalizers, generation, uid, ownerRefs } =
    metadata
  const observed = status.observedGeneration
  const isBehind = observed !== undefined && observed < generation
  return [
    ['Tenant', tenant],
    ['Uid', uid],
    ['Labels', pairs(labels)],
    ['Annotations', pairs(annotations)],
    ['Created', moment(createdAt, now)],
    ['Generation', `${generation}${isBehind ? `, and what is seen is about ${observed}` : ''}`],
    ['Made for', ownerRefs.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`).join(', ') || undefined],
    [
      'To be deleted',
      deletionRequestedAt && `since ${moment(deletionRequestedAt, now)}, held by ${finalizers.join(', ') || 'nothing'}`,
    ],
  ]
}

function pairs(of: Readonly<Record<string, string>>): string | undefined {
  const lines = Object.entries(of).map(([key, value]) => `${key}=${value}`)
  return lines.length === 0 ? undefined : lines.join('\n')
}

/** What a wide table says of it, one below the other. */
function seenFields(face: AnyFace, object: AnyObject, now: number): Field[] {
  return face.columns.map(({ title, value, since }) => {
    const then = since?.(object)
    const label = title.charAt(0) + title.slice(1).toLowerCase()
    return [label, then === undefined ? value(object) : `${value(object)} since ${moment(then, now)}`]
  })
}

function conditionTable(conditions: readonly Condition[], { now, style }: Frame): string {
  if (conditions.length === 0) return ''
  const rows = conditions.map(({ type, status, since, reason, message }): Cell[] => [
    type,
    { text: status, paint: status === 'Unknown' ? style.warn : (one) => one },
    age(since, now),
    reason,
    message,
  ])
  return table(['TYPE', 'STATUS', 'SINCE', 'REASON', 'MESSAGE'], rows)
}

function eventTable(object: AnyObject, events: readonly ObjectEvent[], more: number, { now, style }: Frame): string {
  if (events.length === 0) return 'none are kept\n'
  const rows = table(
    eventTitles,
    events.map((event) => eventRow(event, now, style)),
  )
  return more > 0 ? `${rows}and ${more} before: gantry events ${nameOf(object)}\n` : rows
}
