/**
 * What Docker's log is made of: an entry is a time and up to 16 KiB that a container wrote, mostly one line. A longer line is
 * several entries with the same time.
 */
import { Fault } from '@gantry/core'
import type { LogStream } from '../../log-line.ts'
import type { OutputFrame } from '../api/frames.ts'

export type LogEntry = { readonly stream: LogStream; readonly time: string; readonly data: Buffer }

/** A line that is longer is cut here; a piece that is shorter and has no line end is the last one of what was written. */
export const pieceBytes = 16 * 1024

const timeLength = 30
/** The time and a space. */
const headLength = timeLength + 1

/** Takes what comes and gives entries, each once it is whole. */
export interface EntryReader {
  read(frames: readonly OutputFrame[]): LogEntry[]
  /** What is left when there is no more. */
  end(): LogEntry[]
}

/** Of a container without a terminal: a frame is an entry. */
export const framedEntries = (): EntryReader => ({
  read: (frames) => frames.map(({ stream, data }) => ({ stream, time: timeIn(data), data: data.subarray(headLength) })),
  end: () => [],
})

function timeIn(data: Buffer): string {
  if (data.length >= headLength && data[timeLength] === 0x20) return data.toString('latin1', 0, timeLength)
  throw new Fault('bad_answer', 'Docker sent a log entry without its time', { detail: data.toString('latin1', 0, 80) })
}

const timePattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z /

/**
 * Of a container with a terminal: entries follow each other without any frame. An entry ends with its line, or, if it is a
 * piece, where the next time stands; a time is only looked for behind a piece, where the container itself hardly has one.
 */
export class TerminalEntries implements EntryReader {
  #rest: Buffer = Buffer.alloc(0)
  #isWithin = false

  read(frames: readonly OutputFrame[]): LogEntry[] {
    this.#rest = Buffer.concat([this.#rest, ...frames.map(({ data }) => data)])
    const entries: LogEntry[] = []
    for (let end = this.#entryEnd(); end !== undefined; end = this.#entryEnd()) entries.push(this.#take(end))
    return entries
  }

  end(): LogEntry[] {
    return this.#rest.length >= headLength ? [this.#take(this.#rest.length)] : []
  }

  #entryEnd(): number | undefined {
    const rest = this.#rest
    if (rest.length < headLength) return undefined
    const lineEnd = rest.indexOf(0x0a, headLength)
    // Behind a piece the next one may be the line's last, which has no line end in some drivers.
    const from = this.#isWithin ? headLength : headLength + pieceBytes
    const to = lineEnd < 0 ? rest.length : lineEnd + 1
    if (to > from) {
      const next = rest.toString('latin1', from, to).search(timePattern)
      if (next >= 0) return from + next
    }
    return lineEnd < 0 ? undefined : lineEnd + 1
  }

  #take(end: number): LogEntry {
    const entry = this.#rest.subarray(0, end)
    this.#rest = this.#rest.subarray(end)
    const data = entry.subarray(headLength)
    this.#isWithin = data.length >= pieceBytes && data.at(-1) !== 0x0a
    return { stream: 'stdout', time: timeIn(entry), data }
  }
}
