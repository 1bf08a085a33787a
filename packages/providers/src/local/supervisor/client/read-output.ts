/** The output of a process, read from its segments without asking the supervisor. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Call, Fault } from '@gantry/core/base'
import type { EngineLog, LogFrom, LogStream } from '../../../log-line.ts'
import { lastOf } from '../../../log-text.ts'
import { codeOf } from '../../../proc/processes.ts'
import { formatCursor, type Place, parseCursor } from '../output/cursor.ts'
import { LineAssembler } from '../output/line-assembler.ts'
import type { SegmentName } from '../output/segment-format.ts'
import { folderChanges } from './folder-changes.ts'
import { firstState, linesIn, listSegments, type SegmentEnd, SegmentReader } from './segment-reader.ts'

export async function* readOutput(folder: string, from: LogFrom, { signal }: Call): AsyncGenerator<EngineLog> {
  signal.throwIfAborted()
  const segments = listSegments(folder)
  if (!segments) throw new Fault('instance_not_found', 'There is no such process, so there is no output of it')
  const end = endOf(folder, segments)
  const changes = from.follow ? folderChanges(folder, signal) : undefined
  const since = from.cursor === undefined ? from.since?.getTime() : undefined
  let tail = from.cursor === undefined ? from.tail : undefined
  let last: EngineLog[] = []
  try {
    for await (const logs of batches(folder, from, end, changes?.next)) {
      const wanted = since === undefined ? logs.said : logs.said.filter(({ at }) => at.getTime() >= since)
      if (tail === undefined) {
        yield* wanted
      } else {
        last.push(...wanted)
        last = lastOf(last, tail)
        if (!logs.caughtUp) continue
        // What was there is known in full: its last lines, and from now on all that comes.
        tail = undefined
        yield* last
        last = []
      }
      signal.throwIfAborted()
    }
    yield* last
  } finally {
    changes?.close()
  }
}

type Batch = { readonly said: readonly EngineLog[]; readonly caughtUp: boolean }

/** `changed` is waited for where it stays; without it, it ends at `end`. */
async function* batches(
  folder: string,
  from: LogFrom,
  end: SegmentEnd,
  changed: (() => Promise<void>) | undefined,
): AsyncGenerator<Batch> {
  const cursor = from.cursor === undefined ? undefined : parseCursor(from.cursor)
  let start = begin(() => (cursor ? startAt(folder, cursor) : startOf(folder, from.tail)))
  while (!start) {
    yield { said: [], caughtUp: true }
    if (!changed) return
    await changed()
    if (!listSegments(folder)) return
    start = begin(() => (cursor ? startAt(folder, cursor) : startOf(folder, undefined)))
  }
  let { reader, assembler } = start
  if (start.said.length > 0) yield { said: start.said, caughtUp: false }
  try {
    for (;;) {
      const records = reader.next()
      if (records === 'dropped') {
        reader.close()
        const { place } = assembler
        const again = begin(() => startAt(folder, place))
        if (!again) return
        reader = again.reader
        assembler = again.assembler
        yield { said: again.said, caughtUp: false }
        continue
      }
      const caughtUp = records.length === 0 || isPast(reader.place, end)
      const said = records.flatMap((record) => assembler.take(record))
      yield { said, caughtUp }
      if (!changed && caughtUp) return
      if (records.length === 0 && changed) {
        if (!listSegments(folder)) return
        await changed()
      }
    }
  } finally {
    reader.close()
  }
}

type Start = { readonly reader: SegmentReader; readonly assembler: LineAssembler; readonly said: readonly EngineLog[] }

/** A segment may be dropped between being listed and being opened: then there is a newer oldest one. */
function begin(start: () => Start | undefined): Start | undefined {
  for (let tries = 0; ; tries += 1) {
    try {
      return start()
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || tries === 100) throw error
    }
  }
}

/** From the beginning of what is kept, or of a segment that leaves at least `tail` lines to come. */
function startOf(folder: string, tail: number | undefined): Start | undefined {
  const segments = listSegments(folder) ?? []
  let at = tail === undefined ? 0 : segments.length
  for (let lines = 0; at > 0 && lines <= (tail ?? 0); ) {
    at -= 1
    lines += linesIn(folder, segments[at]?.name ?? '')
  }
  const segment = segments[at]
  if (!segment) return undefined
  const state = firstState(folder, segment.name)
  const from = { stdout: segment.stdout, stderr: segment.stderr, gaps: state?.gaps ?? 0 }
  // A line that began before is left out: its beginning is not to be had here.
  const cut = { stdout: state?.stdout.midLine === true, stderr: state?.stderr.midLine === true }
  return { reader: new SegmentReader(folder, segment), assembler: new LineAssembler(from, cut), said: [] }
}

/** Everything after a place; if that is not kept any more, from the oldest that is, and said so. */
function startAt(folder: string, place: Place): Start | undefined {
  const segments = listSegments(folder) ?? []
  const segment = segments.findLast(({ stdout, stderr }) => stdout <= place.stdout && stderr <= place.stderr)
  if (segment) {
    const assembler = new LineAssembler(place, { stdout: false, stderr: false })
    return { reader: new SegmentReader(folder, segment), assembler, said: [] }
  }
  const oldest = segments[0]
  if (!oldest) return undefined
  const state = firstState(folder, oldest.name)
  const behind = (stream: LogStream): boolean => place[stream] < oldest[stream]
  const next = {
    ...place,
    stdout: Math.max(place.stdout, oldest.stdout),
    stderr: Math.max(place.stderr, oldest.stderr),
  }
  const missing = next.stdout - place.stdout + next.stderr - place.stderr
  const message = `${missing} bytes of output were dropped here, to keep no more than is to be kept`
  const at = statSync(join(folder, oldest.name), { throwIfNoEntry: false })?.birthtime ?? new Date(0)
  const cut = (stream: LogStream): boolean => behind(stream) && state?.[stream].midLine === true
  return {
    reader: new SegmentReader(folder, oldest),
    assembler: new LineAssembler(next, { stdout: cut('stdout'), stderr: cut('stderr') }),
    said: [{ type: 'gap', at, message, cursor: formatCursor(next) }],
  }
}

function endOf(folder: string, segments: readonly SegmentName[]): SegmentEnd {
  const last = segments.at(-1)
  if (!last) return { number: 0, bytes: 0 }
  return { number: last.number, bytes: statSync(join(folder, last.name), { throwIfNoEntry: false })?.size ?? 0 }
}

function isPast(place: SegmentEnd, end: SegmentEnd): boolean {
  return place.number > end.number || (place.number === end.number && place.bytes >= end.bytes)
}
