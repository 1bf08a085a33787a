/** Reads the blocks of one source from one place to another, one window at a time, however much there is. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import type { StoredLog } from '../stored-log.ts'
import { type BlockHead, isWhole, readHead, readLines } from './block.ts'
import { isBefore, type Position, segmentsIn, unlessMissing } from './files.ts'
import { readAt, readStart } from './segment.ts'

export type BlockAt = { readonly head: BlockHead; readonly at: Position; readonly next: Position }
export type Read = { readonly logs: readonly StoredLog[]; readonly next: Position }

export const beginning: Position = { segment: 0, offset: 0 }

const windowBytes = 128 * 1024

/**
 * Lines from `from` up to `until`. Blocks that ended before `since` are stepped over unread. Where segments were removed
 * before they were read, a gap says so.
 */
export async function* readSource(
  folder: string,
  range: { readonly from: Position; readonly until: Position; readonly since?: number | undefined },
  call: Call,
): AsyncGenerator<Read> {
  const { from, until, since = Number.NEGATIVE_INFINITY } = range
  for (const segment of await segmentsWithin(folder, from, until)) {
    call.signal.throwIfAborted()
    const isGone = from.segment !== 0 && segment.isFirst && segment.number > from.segment && from.offset > 0
    if (isGone) yield { logs: [removed(segment.first)], next: { segment: segment.number, offset: 0 } }
    for await (const { head, next, lines } of blocksOf(folder, segment.file, segment.number, from, until)) {
      call.signal.throwIfAborted()
      if (head.last < since) continue
      const bytes = await lines()
      // Half a block at the end is one that is being written, or never was.
      if (!isWhole(head, bytes)) break
      const logs = readLines(head, bytes)
      yield { logs: head.first < since ? logs.filter(({ at }) => at >= since) : logs, next }
    }
  }
}

/** Where to begin so that at least `count` lines follow, or the beginning. Reads headers only, from the end. */
export async function lastLines(folder: string, count: number, until: Position, call: Call): Promise<Position> {
  let missing = count
  const segments = await segmentsWithin(folder, beginning, until)
  for (const { file, number } of segments.toReversed()) {
    call.signal.throwIfAborted()
    const blocks: { at: Position; lines: number }[] = []
    for await (const { head, at } of blocksOf(folder, file, number, beginning, until)) {
      blocks.push({ at, lines: head.lines })
    }
    for (const { at, lines } of blocks.toReversed()) {
      missing -= lines
      if (missing <= 0) return at
    }
  }
  return beginning
}

type Segment = { readonly number: number; readonly first: number; readonly file: string; readonly isFirst: boolean }

async function segmentsWithin(folder: string, from: Position, until: Position): Promise<Segment[]> {
  const all = (await segmentsIn(folder)).filter(
    ({ number }) => number >= from.segment && isBefore({ segment: number, offset: 0 }, until),
  )
  return all.map((segment, at) => ({ ...segment, isFirst: at === 0 }))
}

type Block = BlockAt & { lines(): Promise<Buffer> }

async function* blocksOf(
  folder: string,
  file: string,
  segment: number,
  from: Position,
  until: Position,
): AsyncGenerator<Block> {
  const handle = await open(join(folder, file), 'r').catch(unlessMissing(undefined))
  if (!handle) return
  try {
    const end = until.segment === segment ? until.offset : Number.POSITIVE_INFINITY
    let offset = from.segment === segment ? from.offset : 0
    let window = await readAt(handle, offset, windowBytes)
    let base = offset
    if (offset === 0) {
      const begun = readStart(window)
      if (!begun) return
      offset = begun.from
    }
    while (offset < end) {
      let found = readHead(window, offset - base)
      if (!found && offset > base) {
        // Cut by the end of the window, or not there.
        base = offset
        window = await readAt(handle, base, windowBytes)
        found = readHead(window, 0)
      }
      if (!found) return
      const { head, from: within } = found
      const linesFrom = base + within
      const after = linesFrom + head.bytes
      if (after > end) return
      const [seen, seenFrom] = [window, base]
      const lines = async (): Promise<Buffer> =>
        after <= seenFrom + seen.length
          ? seen.subarray(linesFrom - seenFrom, after - seenFrom)
          : await readAt(handle, linesFrom, head.bytes)
      yield { head, at: { segment, offset }, next: { segment, offset: after }, lines }
      offset = after
    }
  } finally {
    await handle.close()
  }
}

function removed(at: number): StoredLog {
  return {
    at,
    stream: 'gap',
    text: 'lines may be missing here: old ones were removed to make room before this reader came to them',
  }
}
