/**
 * How output is kept: segments of records, both streams in the order they were read. Each record carries the time at which
 * it was read and the offset of its first byte in its stream, counted over all runs of the process. A segment begins with
 * the state that the writer was in, so that the last segment alone tells where to go on.
 */
import type { LogStream } from '../../../log-line.ts'

export const headerBytes = 24
const magic = 0xa7

const types = ['state', 'stdout', 'stderr', 'run_end', 'gap'] as const
export type RecordType = (typeof types)[number]

export type StreamState = {
  /** Of the next byte, over all runs. */
  readonly offset: number
  /** The offset that the first byte of the raw file has. */
  readonly rawBase: number
  /** The last byte was not the end of a line. */
  readonly midLine: boolean
}

export type WriterState = { readonly run: number; readonly gaps: number } & Readonly<Record<LogStream, StreamState>>

export const freshWriterState: WriterState = {
  run: 0,
  gaps: 0,
  stdout: { offset: 0, rawBase: 0, midLine: false },
  stderr: { offset: 0, rawBase: 0, midLine: false },
}

export type SegmentRecord = {
  readonly type: RecordType
  readonly at: number
  /** Of the first byte in its stream; of a gap, which one it is, counted from 1; else 0. */
  readonly offset: number
  readonly bytes: Buffer
}

export function encodeRecord({ type, at, offset, bytes }: SegmentRecord): Buffer {
  const whole = Buffer.allocUnsafe(headerBytes + bytes.length)
  whole.writeUInt8(magic, 0)
  whole.writeUInt8(types.indexOf(type), 1)
  whole.writeUInt16LE(0, 2)
  whole.writeUInt32LE(bytes.length, 4)
  whole.writeDoubleLE(at, 8)
  whole.writeDoubleLE(offset, 16)
  bytes.copy(whole, headerBytes)
  return whole
}

/** The record at `from`; undefined where it is not whole (yet). `damaged` where there never was one. */
export function decodeRecord(buffer: Buffer, from: number): SegmentRecord | 'damaged' | undefined {
  if (buffer.length - from < headerBytes) return undefined
  const type = types[buffer.readUInt8(from + 1)]
  if (buffer.readUInt8(from) !== magic || type === undefined) return 'damaged'
  const length = buffer.readUInt32LE(from + 4)
  const begin = from + headerBytes
  if (buffer.length - begin < length) return undefined
  const bytes = buffer.subarray(begin, begin + length)
  return { type, at: buffer.readDoubleLE(from + 8), offset: buffer.readDoubleLE(from + 16), bytes }
}

export type SegmentName = {
  readonly name: string
  readonly number: number
  readonly stdout: number
  readonly stderr: number
}

/** The offsets that both streams had at its beginning are in its name, so that a cursor finds it without opening any. */
export function segmentName(number: number, state: WriterState): string {
  return `${String(number).padStart(10, '0')}.${state.stdout.offset}.${state.stderr.offset}.seg`
}

export function parseSegmentName(name: string): SegmentName | undefined {
  const match = /^(\d{10})\.(\d+)\.(\d+)\.seg$/.exec(name)
  return match ? { name, number: Number(match[1]), stdout: Number(match[2]), stderr: Number(match[3]) } : undefined
}

export function segmentsIn(names: readonly string[]): SegmentName[] {
  return names.flatMap((name) => parseSegmentName(name) ?? []).sort((a, b) => a.number - b.number)
}

/** Pure: the state of a writer after all whole records of a segment, and how long the segment is up to there. */
export function replaySegment(buffer: Buffer): { readonly state: WriterState; readonly length: number } {
  let state = freshWriterState
  let length = 0
  for (;;) {
    const record = decodeRecord(buffer, length)
    if (record === undefined || record === 'damaged') return { state, length }
    state = afterRecord(state, record)
    length += headerBytes + record.bytes.length
  }
}

export function afterRecord(state: WriterState, { type, bytes }: SegmentRecord): WriterState {
  if (type === 'state') return JSON.parse(bytes.toString()) as WriterState
  if (type === 'gap') return { ...state, gaps: state.gaps + 1 }
  if (type !== 'stdout' && type !== 'stderr') return state
  const before = state[type]
  const midLine = bytes.length === 0 ? before.midLine : bytes[bytes.length - 1] !== 0x0a
  return { ...state, [type]: { ...before, offset: before.offset + bytes.length, midLine } }
}
