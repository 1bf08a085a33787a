/**
 * A place in the log of a container. The kubelet finds lines by whole seconds only, but always gives them in the same order:
 * so a place is a line that was told, known by its time and by how many before it have the very same one. What stands behind
 * it was not told. One for each stream, where they can be read apart.
 */
import { Fault } from '@gantry/core'
import type { LogStream } from '../../log-line.ts'

export type StreamPlace = {
  /** In UTC, always as long: `2026-11-16T10:18:57.212516167Z`. Empty: before all. */
  readonly time: string
  /** How many lines with exactly this time were told, the last of which is meant; 0: none, and those before are not wanted. */
  readonly told: number
  /** So much of that line was told, and more of it is to come; 0: all of it. */
  readonly bytes: number
}

export type LogPlace = Readonly<Record<LogStream, StreamPlace>>

export const before: StreamPlace = { time: '', told: 0, bytes: 0 }
export const beginning: LogPlace = { stdout: before, stderr: before }

/** How much later than another a line can stand that was written before it: two writers share the file. */
const disorderMs = 5000

/** A moment from which lines are wanted, whatever was told. */
export function placeAt(moment: Date): LogPlace {
  const place = { time: timeOf(moment.getTime()), told: 0, bytes: 0 }
  return { stdout: place, stderr: place }
}

/** What the kubelet is asked with: everything since then, of which some may have been told. `undefined`: everything. */
export function sinceOf({ time, told }: StreamPlace): Date | undefined {
  if (time === '') return undefined
  const at = momentOf(time).getTime()
  return new Date(Math.max(0, Math.floor((told > 0 ? at - disorderMs : at) / 1000) * 1000))
}

/** Whether a line is so much later than a place that what was told there is no longer to be expected. */
export const isFarBehind = (time: string, place: StreamPlace): boolean =>
  momentOf(time).getTime() > momentOf(place.time).getTime() + 2 * disorderMs

export const formatCursor = ({ stdout, stderr }: LogPlace): string => `${text(stdout)}/${text(stderr)}`

const text = ({ time, told, bytes }: StreamPlace): string => `${time}+${told}${bytes === 0 ? '' : `~${bytes}`}`

const pattern = '(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}Z|)\\+(\\d{1,12})(?:~(\\d{1,12}))?'
const cursorPattern = new RegExp(`^${pattern}/${pattern}$`)

export function parseCursor(cursor: string): LogPlace {
  const [, outTime, outTold, outBytes = 0, errTime, errTold, errBytes = 0] = cursorPattern.exec(cursor) ?? []
  if (outTime === undefined || errTime === undefined) {
    throw new Fault('bad_request', `The cursor ${JSON.stringify(cursor)} is not one of a Kubernetes log`)
  }
  return {
    stdout: { time: outTime, told: Number(outTold), bytes: Number(outBytes) },
    stderr: { time: errTime, told: Number(errTold), bytes: Number(errBytes) },
  }
}

/** As the kubelet writes it: nine digits, in the zone of its node. */
const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{9})(Z|[+-]\d\d:\d\d)$/

/** The same moment in UTC; `undefined`: that is no time. */
export function timeIn(written: string): string | undefined {
  const [, second, nanos, zone] = stamp.exec(written) ?? []
  if (second === undefined) return undefined
  if (zone === 'Z') return written
  return `${new Date(`${second}${zone}`).toISOString().slice(0, 19)}.${nanos}Z`
}

export const momentOf = (time: string): Date => new Date(`${time.slice(0, 23)}Z`)

const timeOf = (ms: number): string => `${new Date(Math.max(0, ms)).toISOString().slice(0, 23)}000000Z`
