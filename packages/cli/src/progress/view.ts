/** Pure: progress as lines that fit a screen, and as lines that tell what is different from before. */
import { age } from '../output/age.ts'
import type { Style } from '../output/style.ts'
import { width } from '../output/table.ts'
import type { Mood, ReplicaSight, WorkloadSight } from './sight.ts'

export type Size = { readonly columns: number; readonly rows: number }

const marks: Readonly<Record<Mood, string>> = { good: '✔', bad: '✘', busy: '…', unknown: '?' }

/** For a terminal: painted over by the next. Never wider than the screen, and never higher than it. */
export function progressLines(
  sights: readonly WorkloadSight[],
  now: number,
  { columns, rows }: Size,
  style: Style,
): string[] {
  const room = Math.max(4, rows - 2)
  const heads = sights.map((sight) => headLines(sight, now, columns, style))
  const left = room - heads.flat().length
  if (left < 0) return shortened(sights, heads, room, style)
  const each = Math.floor(left / Math.max(1, sights.length))
  return sights.flatMap((sight, at) => [
    ...(heads[at] ?? []),
    ...replicaLines(sight.replicas, now, each, columns, style),
  ])
}

/** Too many to be told whole: those that want looking at first, the others as a number. */
function shortened(
  sights: readonly WorkloadSight[],
  heads: readonly (readonly string[])[],
  room: number,
  style: Style,
): string[] {
  const order = sights.map((_, at) => at).toSorted((one, other) => urgency(sights[other]) - urgency(sights[one]))
  const shown = order.slice(0, room - 1).toSorted((one, other) => one - other)
  const rest = sights.length - shown.length
  return [...shown.flatMap((at) => heads[at]?.[0] ?? []), ...(rest > 0 ? [style.dim(`and ${rest} more`)] : [])]
}

function urgency(sight: WorkloadSight | undefined): number {
  return { bad: 3, unknown: 2, busy: 1, good: 0 }[sight?.mood ?? 'good']
}

function headLines(sight: WorkloadSight, now: number, columns: number, style: Style): string[] {
  const { name, mood, headline, ready, waitingFor, since, hint } = sight
  const head = cut(`${marks[mood]} ${name}  ${headline}${ready === undefined ? '' : `, ${ready}`}`, columns)
  const painted =
    painter(mood, style)(head.slice(0, 1)) + style.strong(head.slice(1, 2 + name.length)) + head.slice(2 + name.length)
  const wait =
    waitingFor === undefined ? [] : [style.dim(cut(`    waiting for ${waitingFor}${sinceText(since, now)}`, columns))]
  return [painted, ...wait, ...(hint === undefined ? [] : [style.warn(cut(`    go on with "${hint}"`, columns))])]
}

function replicaLines(
  replicas: readonly ReplicaSight[],
  now: number,
  room: number,
  columns: number,
  style: Style,
): string[] {
  const isWhole = replicas.length <= room
  const order = replicas.toSorted((one, other) =>
    isWhole ? 0 : Number(one.mood === 'good') - Number(other.mood === 'good'),
  )
  const shown = order.slice(0, isWhole ? room : Math.max(0, room - 1))
  const wide = Math.max(0, ...shown.map(({ state }) => state.length))
  const lines = shown.map(({ place, release, mood, state, services, since }) => {
    const text = `    ${place}  ${release}  `
    const rest = `${' '.repeat(wide - state.length)}  ${age(since, now).padStart(4)}  ${services}`
    const room = columns - width(text) - state.length
    return `${text}${painter(mood, style)(state)}${cut(rest, Math.max(0, room)).trimEnd()}`
  })
  const more = replicas.length - shown.length
  return more > 0 && room > 0 ? [...lines, style.dim(`    and ${more} more`)] : lines
}

/** For a pipe: what a reader has not been told yet, one line for each change of state. */
export function changeLines(before: readonly WorkloadSight[], after: readonly WorkloadSight[]): string[] {
  const known = new Set(before.flatMap(told))
  return after.flatMap(told).filter((line) => !known.has(line))
}

function told(sight: WorkloadSight): string[] {
  const each = sight.replicas.map(
    ({ place, release, state, lasting }) =>
      `${sight.name} ${place} ${release}: ${lasting === '' ? state : `${state}: ${lasting}`}`,
  )
  return [sightText(sight), ...each]
}

/** One workload in one line. */
export function sightText({ name, mood, headline, ready, waitingFor, hint }: WorkloadSight): string {
  // What it waits for counts already.
  const end = mood === 'good' && ready !== undefined ? `, ${ready}` : ''
  const wait = waitingFor === undefined ? end : `; waiting for ${waitingFor}`
  const next = hint === undefined ? '' : `; go on with "${hint}"`
  return `${name}: ${headline}${wait}${next}`
}

function sinceText(since: string | undefined, now: number): string {
  return since === undefined ? '' : `, since ${age(since, now)}`
}

function painter(mood: Mood, style: Style): (text: string) => string {
  return { good: style.good, bad: style.bad, busy: style.warn, unknown: style.warn }[mood]
}

/** A line that is too long would be two, and the next painting would miss one. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text
  let short = ''
  let taken = 0
  for (const letter of text) {
    taken += width(letter)
    if (taken > columns - 1) break
    short += letter
  }
  return `${short}…`
}
