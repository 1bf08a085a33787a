/** Pure: makes lines of what a kubelet sends of one stream, from a given place on, each once; and says where some are missing. */
import { Fault } from '@gantry/core'
import { type LogStream, lineBatch } from '../../log-line.ts'
import { before, isFarBehind, momentOf, type StreamPlace, timeIn } from './place.ts'

/** A longer line is told in pieces: nobody has to hold more of it. */
export const longestLine = 256 * 1024

const lineFeed = 0x0a
const space = 0x20
/** Longer than any time that a kubelet writes. */
const longestTime = 40
/** Lines are told together that have the same time for us: a time of theirs does not depend on where reading began. */
const sameMoment = '2026-11-16T10:18:57.212'.length

/** Lines of one moment, and the place behind them; or that some are missing. */
export type Told =
  | { readonly ts: Date; readonly stream: LogStream; readonly text: string; readonly place: StreamPlace }
  | { readonly ts: Date; readonly stream: LogStream; readonly missing: true; readonly place: StreamPlace }

/** A line, or a piece of one that is too long: where in it, and whether it is the last. */
type Line = { readonly time: string; readonly offset: number; readonly data: Buffer; readonly last: boolean }

export class StreamLines {
  readonly #stream: LogStream
  #place: StreamPlace
  /** What is earlier is not wanted. */
  #floor: string
  /** What was told before, and has not been met again yet: what stands before it is not told twice. */
  #sought: StreamPlace | undefined
  /** Lines of the sought time that were met. */
  #met = 0
  /** Later than what is sought: told once it is clear that it does not come. */
  #held: Line[] = []
  #rest: Buffer = Buffer.alloc(0)
  /** The line that has begun: its time, and how much of it was taken. */
  #open: { readonly time: string; taken: number } | undefined

  constructor(stream: LogStream, from: StreamPlace) {
    this.#stream = stream
    this.#place = from
    this.#floor = from.told > 0 ? '' : from.time
    this.#sought = from.told > 0 ? from : undefined
  }

  /** Behind all that was told. */
  get place(): StreamPlace {
    return this.#place
  }

  /** What was told before has not been met: it is not where it was looked for so far. */
  get isSeeking(): boolean {
    return this.#sought !== undefined
  }

  /** A line has begun that has not ended. */
  get hasBegun(): boolean {
    return this.#open !== undefined
  }

  take(chunk: Buffer): Told[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const batch = new Batch(this.#stream)
    for (let line = this.#next(); line; line = this.#next()) this.#see(line, batch)
    // A copy: what it is part of is much larger, and would be kept with it.
    this.#rest = Buffer.from(this.#rest)
    return batch.close()
  }

  /** Nothing more comes of this run. `over`: who wrote it has ended, so what has begun is a line. */
  endRun(over: boolean): Told[] {
    const batch = new Batch(this.#stream)
    const open = this.#open
    if (open && over) this.#see({ time: open.time, offset: open.taken, data: this.#rest, last: true }, batch)
    this.#open = undefined
    this.#rest = Buffer.alloc(0)
    return batch.close()
  }

  /** What is sought is nowhere: what is later is told, behind a gap. */
  giveUp(): Told[] {
    const batch = new Batch(this.#stream)
    this.#miss(batch)
    return batch.close()
  }

  #next(): Line | undefined {
    if (!this.#open && !this.#begin()) return undefined
    const open = this.#open as { time: string; taken: number }
    const { time, taken: offset } = open
    const end = this.#rest.indexOf(lineFeed)
    if (end >= 0 && end <= longestLine) {
      const data = this.#rest.subarray(0, end)
      this.#rest = this.#rest.subarray(end + 1)
      this.#open = undefined
      return { time, offset, data, last: true }
    }
    if (this.#rest.length <= longestLine) return undefined
    const data = this.#rest.subarray(0, longestLine)
    this.#rest = this.#rest.subarray(longestLine)
    open.taken += longestLine
    return { time, offset, data, last: false }
  }

  /** Every line begins with its time and a space. */
  #begin(): boolean {
    const end = this.#rest.indexOf(space)
    if (end < 0 && this.#rest.length < longestTime) return false
    const time = end < 0 ? undefined : timeIn(this.#rest.toString('latin1', 0, Math.min(end, longestTime)))
    if (time === undefined) {
      const detail = this.#rest.toString('latin1', 0, 80)
      throw new Fault('bad_answer', 'Kubernetes sent a line of a log without its time', { detail })
    }
    this.#rest = this.#rest.subarray(end + 1)
    this.#open = { time, taken: 0 }
    return true
  }

  #see(line: Line, batch: Batch): void {
    const sought = this.#sought
    if (!sought) this.#tell(line, batch)
    else if (line.time === sought.time) this.#meet(line, sought)
    else if (line.time > sought.time) {
      this.#held.push({ ...line, data: Buffer.from(line.data) })
      if (isFarBehind(line.time, sought)) this.#miss(batch)
    }
  }

  /** What was held stands before it, so it was told before, though its time is later. */
  #meet({ offset, data, last }: Line, { told, bytes }: StreamPlace): void {
    if (offset === 0) this.#met += 1
    const isReached = bytes === 0 ? last : offset + data.length >= bytes
    if (this.#met < told || !isReached) return
    this.#sought = undefined
    this.#held = []
  }

  #miss(batch: Batch): void {
    const sought = this.#sought
    if (!sought) return
    const held = this.#held
    this.#sought = undefined
    this.#held = []
    this.#place = { time: sought.time, told: 0, bytes: 0 }
    // Neither it nor what is older is wanted.
    this.#floor = `${sought.time}~`
    batch.missing(momentOf(held[0]?.time ?? sought.time), this.#place)
    for (const line of held) this.#tell(line, batch)
  }

  #tell({ time, offset, data, last }: Line, batch: Batch): void {
    if (time < this.#floor) return
    const { time: before, told } = this.#place
    const count = offset > 0 ? told : before === time ? told + 1 : 1
    this.#place = { time, told: count, bytes: last ? 0 : offset + data.length }
    batch.add(time, data, this.#place)
  }
}

/** Lines that are told together. */
class Batch {
  readonly #stream: LogStream
  readonly #told: Told[] = []
  #lines: string[] = []
  #length = 0
  #time = ''
  #place: StreamPlace = before

  constructor(stream: LogStream) {
    this.#stream = stream
  }

  add(time: string, data: Buffer, place: StreamPlace): void {
    const isOther = time.slice(0, sameMoment) !== this.#time.slice(0, sameMoment)
    if (isOther || this.#length + data.length > lineBatch) this.close()
    if (this.#lines.length === 0) this.#time = time
    this.#lines.push(data.toString('utf8'))
    this.#length += data.length + 1
    this.#place = place
  }

  missing(ts: Date, place: StreamPlace): void {
    this.close()
    this.#told.push({ ts, stream: this.#stream, missing: true, place })
  }

  close(): Told[] {
    if (this.#lines.length > 0) {
      const text = `${this.#lines.join('\n')}\n`
      this.#told.push({ ts: momentOf(this.#time), stream: this.#stream, text, place: this.#place })
    }
    this.#lines = []
    this.#length = 0
    return this.#told
  }
}
