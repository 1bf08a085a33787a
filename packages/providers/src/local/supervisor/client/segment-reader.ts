/** Reads records out of the segments of one process, one after the other, also while they are written. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../../proc/processes.ts'
import {
  decodeRecord,
  headerBytes,
  type SegmentName,
  type SegmentRecord,
  segmentsIn,
  type WriterState,
} from '../output/segment-format.ts'

const batchBytes = 1 << 20

export type SegmentEnd = { readonly number: number; readonly bytes: number }

/** Undefined if the process is not known any more. */
export function listSegments(folder: string): SegmentName[] | undefined {
  try {
    return segmentsIn(readdirSync(folder))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

export class SegmentReader {
  readonly #folder: string
  #number: number
  #file: number
  #at = 0
  #closed = false

  constructor(folder: string, { name, number }: SegmentName) {
    this.#folder = folder
    this.#number = number
    this.#file = openSync(join(folder, name), 'r')
  }

  /** Where it is: the segment, and how far in it. */
  get place(): SegmentEnd {
    return { number: this.#number, bytes: this.#at }
  }

  /** The next whole records that are there, some at a time; none: nothing new yet. `dropped`: the next ones are gone. */
  next(): readonly SegmentRecord[] | 'dropped' {
    const records = this.#batch()
    if (records.length > 0) return records
    const later = (listSegments(this.#folder) ?? []).find(({ number }) => number > this.#number)
    if (!later) return []
    // Where there is a later one nothing is added to this, but something may have been since we looked.
    const rest = this.#batch()
    if (rest.length > 0) return rest
    if (later.number !== this.#number + 1) return 'dropped'
    try {
      const file = openSync(join(this.#folder, later.name), 'r')
      closeSync(this.#file)
      this.#file = file
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'dropped'
      throw error
    }
    this.#number = later.number
    this.#at = 0
    return this.next()
  }

  close(): void {
    if (!this.#closed) closeSync(this.#file)
    this.#closed = true
  }

  #batch(): SegmentRecord[] {
    const size = fstatSync(this.#file).size
    if (size <= this.#at) return []
    const buffer = Buffer.allocUnsafe(Math.min(size - this.#at, batchBytes))
    const read = readSync(this.#file, buffer, 0, buffer.length, this.#at)
    const whole = buffer.subarray(0, read)
    const records: SegmentRecord[] = []
    for (let at = 0; ; ) {
      const record = decodeRecord(whole, at)
      if (record === undefined || record === 'damaged') return records
      records.push(record)
      at += headerBytes + record.bytes.length
      this.#at += headerBytes + record.bytes.length
    }
  }
}

/** The state that a segment begins with; undefined while it is not written yet, or if it is gone. */
export function firstState(folder: string, name: string): WriterState | undefined {
  try {
    const record = decodeRecord(readFileSync(join(folder, name)), 0)
    if (record === undefined || record === 'damaged' || record.type !== 'state') return undefined
    return JSON.parse(record.bytes.toString()) as WriterState
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** How many lines end in a segment. */
export function linesIn(folder: string, name: string): number {
  let lines = 0
  try {
    const buffer = readFileSync(join(folder, name))
    for (let at = 0; ; ) {
      const record = decodeRecord(buffer, at)
      if (record === undefined || record === 'damaged') return lines
      if (record.type === 'stdout' || record.type === 'stderr') {
        for (let end = record.bytes.indexOf(0x0a); end >= 0; end = record.bytes.indexOf(0x0a, end + 1)) lines += 1
      }
      at += headerBytes + record.bytes.length
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return lines
    throw error
  }
}
