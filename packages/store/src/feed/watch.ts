/** One watcher's way through the changes: from the log until it has caught up, then with the tail. */
import { type Call, Fault, orAbort } from '@gantry/core'
import type { Database, Marks } from '../database.ts'
import type { Change } from '../store.ts'
import { FeedEvent, type Filter } from './event.ts'
import type { Feed } from './feed.ts'

/** So far ahead in the log at once, and so many changes of it: what a slow reader holds is bounded. */
const span = 5000
const most = 200

export async function* watch(
  database: Database,
  feed: Feed,
  filter: Filter,
  since: number | undefined,
  call: Call,
): AsyncGenerator<Change, void, void> {
  const marks = await orAbort(database.marks(), call)
  let position = startingPoint(marks, since)
  const leave = await feed.join(marks.version, call)
  try {
    let told = 0
    let isLive = false
    for (;;) {
      call.signal.throwIfAborted()
      const event = feed.recent(position)
      if (event) {
        position = event.row.version
        const change = event.seenBy(filter)
        if (!change) continue
        told = position
        yield change
      } else if (position < feed.tail) {
        const upTo = Math.min(position + span, feed.tail)
        const window = { after: position, upTo, limit: most, kind: filter.kind, tenant: filter.tenant }
        const { rows, compacted } = await orAbort(database.changes(window), call)
        if (compacted > position) throw expired(position, compacted)
        for (const row of rows) {
          const change = new FeedEvent(row).seenBy(filter)
          if (!change) continue
          told = row.version
          yield change
        }
        position = rows.length < most ? upTo : (rows.at(-1)?.version ?? upTo)
      } else {
        // The first one tells a reader that it has caught up; later ones, how far it has come without any change for it.
        if (!isLive || told < position) {
          isLive = true
          told = position
          yield { type: 'bookmark', resourceVersion: position }
          if (position < feed.tail) continue
        }
        position = await feed.next(filter, call)
      }
    }
  } finally {
    leave()
  }
}

function startingPoint({ version, compacted }: Marks, since: number | undefined): number {
  if (since === undefined) return version
  if (since < compacted) throw expired(since, compacted)
  if (since > version) {
    const message = `Version ${since} is not of this store, which is at ${version}. List again, and watch from there`
    throw new Fault('version_expired', message)
  }
  return since
}

function expired(since: number, compacted: number): Fault {
  const message = `The changes after version ${since} are kept only from ${compacted} on. List again, and watch from there`
  return new Fault('version_expired', message)
}
