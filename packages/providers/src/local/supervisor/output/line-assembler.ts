/** Pure: makes lines of records, from a given place on, each line once, and says where something is missing. */
import type { EngineLog, LogStream } from '../../../log-line.ts'
import { formatCursor, type Place } from './cursor.ts'
import type { SegmentRecord } from './segment-format.ts'

/** A longer line is told in pieces: nobody has to hold more of it. */
const longestLine = 256 << 10

type Pending = { parts: Buffer[]; bytes: number; at: number }

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
    const lines: EngineLog[] = []
    const taken = this.#taken[stream]
    if (offset + bytes.length <= taken) return lines
    if (offset > taken) {
      lines.push(this.#jump(stream, offset, at))
    }
    let from = Math.max(0, this.#taken[stream] - offset)
    while (from < bytes.length) {
      const newline = bytes.indexOf(0x0a, from)
      const end = newline < 0 ? bytes.length : newline
      this.#hold(stream, bytes.subarray(from, end), at)
      from = newline < 0 ? end : end + 1
      this.#taken[stream] = offset + from
      if (newline >= 0) lines.push(...this.#line(stream, at))
      else if (this.#pending[stream].bytes >= longestLine) lines.push(...this.#line(stream, at))
    }
    return lines
  }

  #hold(stream: LogStream, bytes: Buffer, at: number): void {
    const pending = this.#pending[stream]
    if (pending.parts.length === 0) pending.at = at
    if (this.#skipping[stream] || bytes.length === 0) return
    // A copy: the buffer it is part of is read into again.
    pending.parts.push(Buffer.from(bytes))
    pending.bytes += bytes.length
  }

  #line(stream: LogStream, at: number): EngineLog[] {
    const { parts, at: began } = this.#pending[stream]
    const skipped = this.#skipping[stream]
    const begunAt = parts.length === 0 ? at : began
    this.#pending[stream] = fresh()
    this.#skipping[stream] = false
    this.#told[stream] = this.#taken[stream]
    if (skipped) return []
    const line = Buffer.concat(parts).toString()
    return [{ type: 'line', at: new Date(begunAt), stream, line, cursor: formatCursor(this.#told) }]
  }

  #flush(stream: LogStream): EngineLog[] {
    const { bytes, at } = this.#pending[stream]
    if (bytes > 0) return this.#line(stream, at)
    this.#skipping[stream] = false
    return []
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
