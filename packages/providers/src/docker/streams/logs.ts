/** What a container wrote: one pass over Docker's log after another, each from where the last one ended. */
import { type Call, Fault, isFault } from '@gantry/core'
import type { EngineLog, LogFrom } from '../../log-line.ts'
import { lastOf } from '../../log-text.ts'
import type { DockerApi } from '../api/api.ts'
import { framedEntries, type LogEntry, TerminalEntries } from './log-entries.ts'
import { LogLines } from './log-lines.ts'
import { beginning, type LogPlace, laterPlace, parseCursor, placeAt, sinceOf } from './log-place.ts'
import { nextRun } from './next-run.ts'
import type { ContainerLogs } from './streams.ts'
import { tailPlace } from './tail-place.ts'

/** So many batches are held at least while the last lines are looked for. */
const heldBatches = 64

/** When a container was started that was not: it has nothing to read yet, and is waited for. */
const never = '0001-01-01T00:00:00Z'

type Source = { readonly api: DockerApi; readonly id: string; readonly tty: boolean }

export const containerLogs: ContainerLogs = async function* (api, id, { tty }, from, call) {
  call.signal.throwIfAborted()
  const source = { api, id, tty }
  let place = await startOf(source, from, call)
  const { tail } = from
  if (from.cursor === undefined && tail !== undefined) {
    const history = new Pass(source, place)
    let last: EngineLog[] = []
    for await (const log of history.read(false, call)) {
      last.push(log)
      if (last.length > 2 * heldBatches + tail) last = lastOf(last, tail)
    }
    yield* lastOf(last, tail)
    place = history.place
    if (!from.follow) return
  }
  for (let run: string | undefined = never, isFirst = true; ; isFirst = false) {
    const pass = new Pass(source, place)
    try {
      yield* pass.read(from.follow, call)
    } catch (error) {
      // Removed while nobody looked: there is no more to come. Who finds nothing at first is told so.
      if (isFirst || !isFault(error, 'not_found')) throw error
      return
    }
    place = pass.place
    if (!from.follow) return
    // Looks once more behind what was read: an end of the log need not be one of the container.
    run = await nextRun(api, id, pass.hasRead ? undefined : run, call)
    if (run === undefined) return
  }
}

async function startOf(source: Source, { cursor, since, tail }: LogFrom, call: Call): Promise<LogPlace> {
  if (cursor !== undefined) return parseCursor(cursor)
  const asked = since ? placeAt(since) : beginning
  if (tail === undefined) return asked
  return laterPlace(asked, await tailPlace(source.api, source.id, source.tty, tail, call))
}

class Pass {
  readonly #source: Source
  readonly #from: LogPlace
  readonly #lines: LogLines
  /** Whether there was anything that had not been told. */
  hasRead = false

  constructor(source: Source, from: LogPlace) {
    this.#source = source
    this.#from = from
    this.#lines = new LogLines(from, source.tty)
  }

  get place(): LogPlace {
    return this.#lines.place
  }

  async *read(follow: boolean, call: Call): AsyncGenerator<EngineLog> {
    const { api, id, tty } = this.#source
    const entries = tty ? new TerminalEntries() : framedEntries()
    const since = sinceOf(this.#from)
    const range = { tty, follow, timestamps: true, ...(since === undefined ? {} : { since }) }
    for await (const frames of await opened(api.containers.logBlocks(id, range, call))) {
      yield* this.#take(entries.read(frames))
    }
    yield* this.#take(entries.end())
    yield* this.#lines.end()
    if (this.#lines.hasBegun) yield* this.#endBegun(call)
  }

  #take(entries: readonly LogEntry[]): readonly EngineLog[] {
    const logs = this.#lines.take(entries)
    if (logs.length > 0) this.hasRead = true
    return logs
  }

  /** What has begun is a line if its writer has ended: it does not run, or it is another one by now. */
  async *#endBegun(call: Call): AsyncGenerator<EngineLog> {
    const { api, id } = this.#source
    const state = (await api.containers.inspect(id, call))?.State
    yield* this.#lines.endBegun(state?.Running ? new Date(state.StartedAt) : new Date(8.64e15))
  }
}

async function opened<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    if (!isFault(error)) throw error
    if (error.reason === 'capability_missing') {
      const message = 'Docker keeps no output of this container that could be read: its log driver hands it on only'
      throw new Fault('capability_missing', `${message}; use json-file, local or journald`, { cause: error })
    }
    // It is being removed: its log is not given any more.
    if (error.reason === 'engine_object_conflict') {
      throw new Fault('engine_object_not_found', error.message, { cause: error })
    }
    throw error
  }
}
