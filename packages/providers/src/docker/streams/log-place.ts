/**
 * A place in the log of a container. Docker finds entries by their time only, and inclusive; many can have the same one, and
 * those of two streams are not in order with each other, since each stream has its own writer. So a place is one of each
 * stream: all before a time was told, and so many of those that have exactly that time.
 */
import { Fault } from '@gantry/core'
import type { LogStream } from '../../log-line.ts'

export type StreamPlace = {
  /** As Docker writes it, always as long: `2026-11-16T10:18:57.212516167Z`. Empty: before all. */
  readonly time: string
  readonly told: number
}

export type LogPlace = Readonly<Record<LogStream, StreamPlace>>

const before = { time: '', told: 0 } as const satisfies StreamPlace
export const beginning: LogPlace = { stdout: before, stderr: before }

/**
 * How much later than another an entry can be written that was made before it: a writer can be held up between the two, by
 * the other one or by the disk.
 */
const disorderMs = 5_000

export function placeAt(moment: Date): LogPlace {
  const place = { time: asTime(moment.getTime()), told: 0 }
  return { stdout: place, stderr: place }
}

/** The later of two for each stream. */
export function laterPlace(a: LogPlace, b: LogPlace): LogPlace {
  const later = (stream: LogStream): StreamPlace => (a[stream].time < b[stream].time ? b[stream] : a[stream])
  return { stdout: later('stdout'), stderr: later('stderr') }
}

/** A place that waits for nothing older than this moment can bring: a stream that is silent does not hold back where to look from. */
export function lifted(place: StreamPlace, time: string): StreamPlace {
  if (place.time >= time) return place
  const floor = floorOf(time.slice(0, secondLength))
  return place.time < floor ? { time: floor, told: 0 } : place
}

const secondLength = '2026-11-16T10:18:57'.length
let lastFloor = { second: '', time: '' }

/** Asked for with every batch of lines, and mostly for the same second. */
function floorOf(second: string): string {
  if (lastFloor.second !== second) lastFloor = { second, time: asTime(Date.parse(`${second}Z`) - disorderMs) }
  return lastFloor.time
}

export function formatCursor({ stdout, stderr }: LogPlace): string {
  return `${stdout.time}+${stdout.told}/${stderr.time}+${stderr.told}`
}

const placePattern = '(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}Z|)\\+(\\d{1,12})'
const cursorPattern = new RegExp(`^${placePattern}/${placePattern}$`)

export function parseCursor(cursor: string): LogPlace {
  const [, outTime, outTold, errTime, errTold] = cursorPattern.exec(cursor) ?? []
  if (outTime === undefined || errTime === undefined) {
    throw new Fault('bad_request', `The cursor ${JSON.stringify(cursor)} is not one of a Docker log`)
  }
  return { stdout: { time: outTime, told: Number(outTold) }, stderr: { time: errTime, told: Number(errTold) } }
}

/** What Docker is asked with: everything since the earlier one. Undefined: everything. */
export function sinceOf({ stdout, stderr }: LogPlace): string | undefined {
  const [time = ''] = [stdout.time, stderr.time].sort()
  if (time === '') return undefined
  return `${Math.floor(Date.parse(`${time.slice(0, 19)}Z`) / 1000)}.${time.slice(20, 29)}`
}

/** Behind whatever is missing: nothing that is told of here is expected to be there any more. */
export function withoutWitness({ stdout, stderr }: LogPlace): LogPlace {
  return { stdout: { ...stdout, told: 0 }, stderr: { ...stderr, told: 0 } }
}

export function lastTime({ stdout, stderr }: LogPlace): string {
  return [stdout.time, stderr.time].sort()[1] ?? ''
}

export function momentOf(time: string): Date {
  return new Date(`${time.slice(0, 23)}Z`)
}

function asTime(ms: number): string {
  return `${new Date(Math.max(0, ms)).toISOString().slice(0, 23)}000000Z`
}
