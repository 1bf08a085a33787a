/** Appends records to segments, begins new ones and drops the oldest. All synchronous: what returned is in the files. */
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { LogStream } from '../../../log-line.ts'
import {
  afterRecord,
  encodeRecord,
  freshWriterState,
  replaySegment,
  type SegmentRecord,
  segmentName,
  segmentsIn,
  type WriterState,
} from './segment-format.ts'

type Kept = { readonly name: string; bytes: number }

const smallestSegment = 64 << 10
const largestSegment = 8 << 20

export class SegmentWriter {
  readonly #folder: string
  readonly #keepBytes: number
  readonly #segmentBytes: number
  #state: WriterState = freshWriterState
  #number = 0
  #file: number | undefined
  #kept: Kept[] = []

  constructor(folder: string, keepBytes: number) {
    this.#folder = folder
    this.#keepBytes = keepBytes
    this.#segmentBytes = Math.min(largestSegment, Math.max(smallestSegment, Math.floor(keepBytes / 8)))
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#resume()
  }

  get state(): WriterState {
    return this.#state
  }

  append(stream: LogStream, bytes: Buffer, at: number): void {
    this.#write({ type: stream, at, offset: this.#state[stream].offset, bytes })
  }

  /** From here on raw files of this run are read, from their beginning. */
  beginRun(run: number, at: number): void {
    const { stdout, stderr } = this.#state
    const begin = (of: typeof stdout): typeof stdout => ({ ...of, rawBase: of.offset })
    this.#writeState({ ...this.#state, run, stdout: begin(stdout), stderr: begin(stderr) }, at)
  }

  /** The raw file of this stream begins anew. */
  rebase(stream: LogStream, at: number): void {
    const of = this.#state[stream]
    this.#writeState({ ...this.#state, [stream]: { ...of, rawBase: of.offset } }, at)
  }

  /** Whatever line was not ended is one now. */
  endRun(at: number): void {
    this.#write({ type: 'run_end', at, offset: 0, bytes: Buffer.alloc(0) })
    const { stdout, stderr } = this.#state
    this.#writeState(
      { ...this.#state, stdout: { ...stdout, midLine: false }, stderr: { ...stderr, midLine: false } },
      at,
    )
  }

  gap(message: string, at: number): void {
    this.#write({ type: 'gap', at, offset: this.#state.gaps + 1, bytes: Buffer.from(message) })
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #resume(): void {
    const found = segmentsIn(readdirSync(this.#folder))
    this.#kept = found.map(({ name }) => ({ name, bytes: statSync(join(this.#folder, name)).size }))
    const last = found.at(-1)
    const kept = this.#kept.at(-1)
    if (!last || !kept) return
    const { state, length } = replaySegment(readFileSync(join(this.#folder, last.name)))
    this.#number = last.number
    this.#file = openSync(join(this.#folder, last.name), 'a', 0o600)
    // Half a record is what the death of our predecessor has left; its bytes are still in the raw file.
    ftruncateSync(this.#file, length)
    kept.bytes = length
    // Not even its first record is whole: all that it would have said is in its name and in the one before.
    this.#state = length > 0 ? state : this.#stateBefore(found.at(-2)?.name)
    if (length === 0) this.#writeState(this.#state, 0)
  }

  #stateBefore(name: string | undefined): WriterState {
    return name === undefined ? freshWriterState : replaySegment(readFileSync(join(this.#folder, name))).state
  }

  #writeState(state: WriterState, at: number): void {
    this.#write({ type: 'state', at, offset: 0, bytes: Buffer.from(JSON.stringify(state)) })
  }

  #write(record: SegmentRecord): void {
    const current = this.#kept.at(-1)
    if (this.#file === undefined || !current || current.bytes >= this.#segmentBytes) this.#rotate(record.at)
    this.#put(record)
  }

  #rotate(at: number): void {
    this.close()
    this.#number += 1
    const name = segmentName(this.#number, this.#state)
    this.#file = openSync(join(this.#folder, name), 'a', 0o600)
    this.#kept.push({ name, bytes: 0 })
    this.#put({ type: 'state', at, offset: 0, bytes: Buffer.from(JSON.stringify(this.#state)) })
    this.#dropOldest()
  }

  #put(record: SegmentRecord): void {
    const kept = this.#kept.at(-1)
    const file = this.#file
    if (file === undefined || !kept) throw new TypeError('there is a segment to write to')
    const bytes = encodeRecord(record)
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
    } catch (error) {
      // The disk may be full: what was not written whole was not written, and is tried again from the raw file.
      ftruncateSync(file, kept.bytes)
      throw error
    }
    kept.bytes += bytes.length
    this.#state = afterRecord(this.#state, record)
  }

  #dropOldest(): void {
    let total = this.#kept.reduce((sum, { bytes }) => sum + bytes, 0)
    while (this.#kept.length > 1 && total > this.#keepBytes) {
      const oldest = this.#kept.shift()
      if (!oldest) return
      total -= oldest.bytes
      rmSync(join(this.#folder, oldest.name), { force: true })
    }
  }
}
