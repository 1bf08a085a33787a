/** One file of blocks: how it is called, how it begins, and how far it can be trusted. */
import type { FileHandle } from 'node:fs/promises'
import type { LogSource } from '../source.ts'
import { isWhole, longestHead, readHead } from './block.ts'

/** What a segment begins with: whose lines these are, and the cursor before the first of them. */
export type SegmentStart = {
  readonly engineId: string
  readonly service: string
  readonly release: string
  /** Absent in the first. */
  readonly cursor?: string
}

const mark = '#gantry-logs 1 '

export function startOf({ engineId, service, release }: LogSource, cursor: string | undefined): Buffer {
  const start: SegmentStart = { engineId, service, release, ...(cursor !== undefined && { cursor }) }
  return Buffer.from(`${mark}${JSON.stringify(start)}\n`)
}

export function readStart(bytes: Buffer): { start: SegmentStart; from: number } | undefined {
  const end = bytes.indexOf(0x0a)
  const text = end === -1 ? '' : bytes.toString('utf8', 0, end)
  if (!text.startsWith(mark)) return undefined
  try {
    return { start: JSON.parse(text.slice(mark.length)) as SegmentStart, from: end + 1 }
  } catch {
    return undefined
  }
}

/** By number, and by the time of its first line: what a search by time begins with. */
export type SegmentName = { readonly number: number; readonly first: number; readonly file: string }

export function segmentFile(number: number, first: number): string {
  return `${String(number).padStart(8, '0')}.${first}.log`
}

export function readSegmentFile(file: string): SegmentName | undefined {
  const parts = /^(\d{8,12})\.(-?\d{1,16})\.log$/.exec(file)
  return parts ? { number: Number(parts[1]), first: Number(parts[2]), file } : undefined
}

export type Sound = {
  /** Bytes that can be trusted; what follows was being written when something died. */
  readonly size: number
  readonly cursor: string | undefined
  readonly last: number | undefined
}

const step = 1 << 20

/** Reads a whole segment, block by block. `undefined`: not even its beginning is there. */
export async function inspect(handle: FileHandle): Promise<Sound | undefined> {
  const first = await readAt(handle, 0, longestHead)
  const begun = readStart(first)
  if (!begun) return undefined
  let size = begun.from
  let { cursor } = begun.start
  let last: number | undefined
  let window = first
  let offset = 0
  for (;;) {
    const found = readHead(window, size - offset)
    const need = found ? found.from + found.head.bytes : undefined
    if (need === undefined || need > window.length) {
      // Not whole in the window: look again from here, with as much as the block says it takes.
      const wanted = Math.max(step, need === undefined ? 0 : need - (size - offset))
      const again = await readAt(handle, size, wanted)
      const isMore = offset !== size || again.length > window.length
      offset = size
      window = again
      if (!isMore || again.length === 0) return { size, cursor, last }
      continue
    }
    if (!found || !isWhole(found.head, window.subarray(found.from, need))) return { size, cursor, last }
    size = offset + need
    cursor = found.head.cursor
    last = found.head.last
  }
}

export async function readAt(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, from + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}
