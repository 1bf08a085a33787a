/** A backup as a stream, for whoever takes it over the network. Writes go on meanwhile. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Call, type Clock, Fault, joinSignals } from '@gantry/core'
import type { Store, SystemScope } from '@gantry/store'
import { encode } from './format.ts'

export type BackupStreamOptions = {
  readonly store: Store
  readonly scope: SystemScope
  readonly clock: Clock
  /** A reader that takes nothing for so long holds the database's past for nobody, and is let go. */
  readonly stalledMs: number
}

/**
 * The same bytes as a backup file. It is whole if it ends without an error, and says so itself in its last line. Resolves
 * once the first row was read: a store that cannot be backed up is then a fault, and no stream.
 */
export async function backupStream(options: BackupStreamOptions, call: Call): Promise<Readable> {
  const { store, scope, clock, stalledMs } = options
  const own = new AbortController()
  const joined = joinSignals(call.signal, own.signal)
  const rows = store.snapshot(scope, joined)[Symbol.asyncIterator]()
  const first = await rows.next().catch((error: unknown) => {
    joined.clear()
    throw error
  })
  const gzip = createGzip()
  const text = Readable.from(encode(from(first, rows), clock.now()))
  // Its failure is told by what reads from it.
  const copied = pipeline(text, gzip, { signal: joined.signal }).catch(() => undefined)

  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of gzip) {
        const cancel = clock.after(stalledMs, () => stream.destroy(stalled(stalledMs)))
        try {
          yield chunk as Uint8Array
        } finally {
          cancel()
        }
      }
    } finally {
      own.abort(new Fault('aborted', 'Nobody reads the backup any more'))
      await copied
      joined.clear()
    }
  }
  const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: 64 * 1024 })
  return stream
}

async function* from<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

function stalled(ms: number): Fault {
  return new Fault('slow_reader', `Nothing of the backup was read for ${ms} ms; take another one`)
}
