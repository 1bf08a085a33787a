/**
 * Lines of a workload: of all its replicas there are and were, in order of time, and then as they come. Whoever reads
 * slowly holds a place in files, not lines in memory.
 */
import type { Call } from '@gantry/core'
import type { LogStore, WorkloadLogs } from '../log-store.ts'
import { isBefore, type Position } from '../segments/files.ts'
import { beginning, lastLines, type Read, readSource } from '../segments/source-reader.ts'
import type { SourceName } from '../source.ts'
import type { StoredLog } from '../stored-log.ts'
import { merge, type Stream } from './merge.ts'
import { News } from './news.ts'
import { isSelected, type Selection, selected } from './select.ts'

export type LogQuery = WorkloadLogs &
  Selection & {
    /** Milliseconds since 1970. */
    readonly since?: number | undefined
    /** The last so many of all that is selected. */
    readonly tail?: number | undefined
    /** Stay for what comes, also from replicas that come. */
    readonly follow?: boolean | undefined
  }

export type QueriedLog = StoredLog & Pick<SourceName, 'service' | 'slot' | 'index'>

type Place = { readonly folder: string; readonly name: SourceName; from: Position; until: Position; first: number }

export async function* queryLogs(store: LogStore, query: LogQuery, call: Call): AsyncGenerator<QueriedLog> {
  const places = new Map<string, Place>()
  const news = new News()
  // First the ear, then the look: what comes in between is heard, and known by its place to be new or not.
  const leave = store.subscribe(query.uid, (appended) => {
    if (query.follow && isSelected(appended.name, query)) news.add(appended)
  })
  try {
    const kept = selected(await store.sources(query, call), query)
    for (const { folder, name, until, first } of kept)
      places.set(folder, { folder, name, from: beginning, until, first })
    if (query.tail !== undefined) await startNearEnd(places.values(), query.tail, call)
    yield* past(places, query, call)
    if (!query.follow || query.previous) return
    for (;;) {
      const round = (await news.next(call)).map(({ folder, name, until }) => {
        const place = places.get(folder) ?? { folder, name, from: beginning, until, first: 0 }
        place.until = until
        places.set(folder, place)
        return place
      })
      yield* read(round, query, call)
    }
  } finally {
    leave()
  }
}

/** What is there now, without the lines that are too many. */
async function* past(places: Map<string, Place>, query: LogQuery, call: Call): AsyncGenerator<QueriedLog> {
  let tooMany = 0
  if (query.tail !== undefined) {
    // Counted first and read again, since the last of many sources are known only once all were seen.
    const again = [...places.values()].map((place) => ({ ...place }))
    for await (const _ of read(again, query, call)) tooMany += 1
    tooMany -= query.tail
  }
  for await (const log of read(places.values(), query, call)) {
    tooMany -= 1
    if (tooMany < 0) yield log
  }
}

async function startNearEnd(places: Iterable<Place>, tail: number, call: Call): Promise<void> {
  for (const place of places) place.from = await lastLines(place.folder, tail, place.until, call)
}

/** From each place to its `until`, moving the place along. */
async function* read(places: Iterable<Place>, { since }: LogQuery, call: Call): AsyncGenerator<QueriedLog> {
  const streams = [...places].map(
    (place): Stream<SourceName> => ({ about: place.name, first: place.first, open: () => moving(place) }),
  )
  for await (const { about, log } of merge(streams)) {
    const { service, slot, index } = about
    yield { ...log, service, slot, index }
  }

  async function* moving(place: Place): AsyncGenerator<Read> {
    const { folder, from, until } = place
    for await (const block of readSource(folder, { from, until, since }, call)) {
      yield block
      place.from = block.next
    }
    // All of it was read, also what was stepped over.
    if (until.offset !== Number.MAX_SAFE_INTEGER && isBefore(place.from, until)) place.from = until
  }
}
