/** Pure: makes lines of records, from a given place on, each line once, and says where something is missing. */
import { type EngineLog, type LogStream, lineBatch } from '../../../log-line.ts'
import { formatCursor, type Place } from './cursor.ts'
import type { SegmentRecord } from './segment-format.ts'

/** A longer line is told in pieces: nobody has to hold more of it. */
const longestLine = 256 << 10

type Pending = { parts: Buffer[]; bytes: number; at: number }
type Within = Pick<SegmentRecord, 'at' | 'offset' | 'bytes'> & { readonly from: number }

export class LineAssembler {
  /** Up to where lines were told. */
  readonly #told: { stdout: number; stderr: number; gaps: number }
  /** Up to where bytes were taken: told, or pending. */
  readonly #taken: { stdout: number; stderr: number }
  /** Of these the rest of a line is left out, whose beginning is not there. */
  readonly #skipping: Record<LogStream, boolean>
  readonly #pending: Record<LogStream, Pending> = { stdout: fresh(), stderr: fresh() }

  constructor(from: Place, skipping: Readonly<Record<LogStream, boolean>>) {
    this.#told = { ...from }
    this.#taken = { stdout: from.stdout, stderr: from.stderr }
    this.#skipping = { ...skipping }
  }

  get place(): Place {
    return { ...this.#told }
  }

  take(record: SegmentRecord): EngineLog[] {
    switch (record.type) {
      case 'stdout':
      case 'stderr':
        return this.#chunk(record.type, record)
      case 'run_end':
        return [...this.#flush('stdout'), ...this.#flush('stderr')]
      case 'gap': {
        if (record.offset <= this.#told.gaps) return []
        this.#told.gaps = record.offset
        return [this.#gap(record.at, record.bytes.toString())]
      }
      case 'state':
        return []
    }
  }

  #chunk(stream: LogStream, { at, offset, bytes }: SegmentRecord): EngineLog[] {
    const logs: EngineLog[] = []
    const taken = this.#taken[stream]
    if (offset + bytes.length <= taken) return logs
    if (offset > taken) logs.push(this.#jump(stream, offset, at))
    const first = Math.max(0, this.#taken[stream] - offset)
    let from = this.#begun(stream) ? this.#endBegun(stream, { at, offset, bytes, from: first }, logs) : first
    const whole = bytes.lastIndexOf(0x0a) + 1
    while (from < whole) {
      const to = batchEnd(bytes, from, whole)
      this.#told[stream] = this.#taken[stream] = offset + to
      logs.push(this.#lines(stream, at, bytes.toString('utf8', from, to)))
      from = to
    }
    if (from < bytes.length) this.#hold(stream, bytes.subarray(from), at)
    this.#taken[stream] = offset + bytes.length
    if (this.#pending[stream].bytes >= longestLine) logs.push(...this.#line(stream))
    return logs
  }

  /** The next bytes are not the first of a line. */
  #begun(stream: LogStream): boolean {
    return this.#skipping[stream] || this.#pending[stream].bytes > 0
  }

  /** Takes the rest of the line that was begun, if its end is here; answers where the next one begins. */
  #endBegun(stream: LogStream, { at, offset, bytes, from }: Within, logs: EngineLog[]): number {
    const end = bytes.indexOf(0x0a, from)
    if (end < 0) return from
    this.#hold(stream, bytes.subarray(from, end), at)
    this.#taken[stream] = offset + end + 1
    logs.push(...this.#line(stream))
    return end + 1
  }

  #hold(stream: LogStream, bytes: Buffer, at: number): void {
    const pending = this.#pending[stream]
    if (this.#skipping[stream] || bytes.length === 0) return
    if (pending.bytes === 0) pending.at = at
    // A copy: what it is part of is much larger, and would be kept with it.
    pending.parts.push(Buffer.from(bytes))
    pending.bytes += bytes.length
  }

  /** The line that was begun, up to what was taken. */
  #line(stream: LogStream): EngineLog[] {
    const { parts, at } = this.#pending[stream]
    const skipped = this.#skipping[stream]
    this.#pending[stream] = fresh()
    this.#skipping[stream] = false
    this.#told[stream] = this.#taken[stream]
    return skipped ? [] : [this.#lines(stream, at, `${Buffer.concat(parts).toString()}\n`)]
  }

  #flush(stream: LogStream): EngineLog[] {
    if (this.#pending[stream].bytes > 0) return this.#line(stream)
    this.#skipping[stream] = false
    return []
  }

  #lines(stream: LogStream, at: number, text: string): EngineLog {
    return { type: 'lines', at: new Date(at), stream, text, cursor: formatCursor(this.#told) }
  }

  #jump(stream: LogStream, offset: number, at: number): EngineLog {
    const missing = offset - this.#taken[stream]
    this.#pending[stream] = fresh()
    this.#skipping[stream] = true
    this.#taken[stream] = offset
    this.#told[stream] = offset
    return this.#gap(at, `${missing} bytes of ${stream} are missing here`)
  }

  #gap(at: number, message: string): EngineLog {
    return { type: 'gap', at: new Date(at), message, cursor: formatCursor(this.#told) }
  }
}

const fresh = (): Pending => ({ parts: [], bytes: 0, at: 0 })

/** Behind as many whole lines as are told at once; at least one. */
function batchEnd(bytes: Buffer, from: number, whole: number): number {
  if (whole - from <= lineBatch) return whole
  const last = bytes.lastIndexOf(0x0a, from + lineBatch - 1)
  return (last < from ? bytes.indexOf(0x0a, from) : last) + 1
}
