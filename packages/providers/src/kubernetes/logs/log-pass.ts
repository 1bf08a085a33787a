/** What a container wrote, of the run before this one and of this one: one pass over it, from a given place on. */
import { type Call, isFault } from '@gantry/core'
import { merged } from '../../from/merged.ts'
import type { EngineLog, LogStream } from '../../log-line.ts'
import type { ContainerAt, PodLogRange, PodsApi } from '../api/api.ts'
import { formatCursor, type LogPlace, sinceOf } from './place.ts'
import { raced } from './raced.ts'
import { StreamLines, type Told } from './stream-lines.ts'

export type LogSource = {
  readonly pods: Pick<PodsApi, 'logs'>
  readonly at: ContainerAt
  /** The server can tell the streams of a container apart. */
  readonly split: boolean
  /** Whether the run that was read has ended; asked only where a line has begun and not ended. */
  readonly isOver: (call: Call) => Promise<boolean>
}

export type PassOptions = {
  readonly follow: boolean
  /** Reads the run before this one first. */
  readonly previous: boolean
  /** The last so many of what is there at least, counted over both streams, of each run. */
  readonly tail?: number
}

const gapMessage = 'lines are missing here: a kubelet keeps only so much of a log'

const streamNames = { stdout: 'Stdout', stderr: 'Stderr' } as const satisfies Record<LogStream, string>

export class LogPass {
  readonly #source: LogSource
  readonly #from: LogPlace
  #told: LogPlace
  /** Whether there was anything that had not been told. */
  hasRead = false

  constructor(source: LogSource, from: LogPlace) {
    this.#source = source
    this.#from = from
    this.#told = from
  }

  /** Behind all that was told. */
  get place(): LogPlace {
    return this.#told
  }

  async *read(options: PassOptions, call: Call): AsyncGenerator<EngineLog> {
    const streams: readonly LogStream[] =
      this.#source.split && options.tail === undefined ? ['stdout', 'stderr'] : ['stdout']
    const readers = streams.map((stream) => this.#stream(stream, streams.length > 1, options, call))
    const [only] = readers
    const told = readers.length === 1 && only ? only : options.follow ? raced(readers) : merged(readers)
    for await (const each of told) yield this.#tell(each)
  }

  #tell(told: Told): EngineLog {
    this.hasRead = true
    this.#told = { ...this.#told, [told.stream]: told.place }
    const common = { at: told.ts, cursor: formatCursor(this.#told) }
    if ('missing' in told) return { type: 'gap', message: gapMessage, ...common }
    return { type: 'lines', stream: told.stream, text: told.text, ...common }
  }

  async *#stream(name: LogStream, alone: boolean, options: PassOptions, call: Call): AsyncGenerator<Told> {
    const { isOver } = this.#source
    const { follow, tail } = options
    const from = this.#from[name]
    const lines = new StreamLines(name, from)
    const since = sinceOf(from)
    const range: PodLogRange = {
      follow: false,
      timestamps: true,
      ...(since ? { since } : {}),
      ...(alone ? { stream: streamNames[name] } : {}),
      ...(tail === undefined ? {} : { tail }),
    }
    // Opened first: a run that begins meanwhile is then met twice, and not missed.
    const current = await this.#open({ ...range, follow }, call)
    if (options.previous) {
      for await (const chunk of await this.#open({ ...range, previous: true }, call)) yield* lines.take(chunk)
      yield* lines.endRun(true)
    }
    // What was met already, because a run became the one before, is not told twice.
    const again = lines.place.told > 0 && options.previous && !lines.isSeeking ? lines.place.time : undefined
    for await (const chunk of current) {
      for (const told of lines.take(chunk)) if (again === undefined || isLater(told, again)) yield told
    }
    if (!follow && lines.isSeeking) yield* lines.giveUp()
    if (lines.hasBegun) yield* lines.endRun(await isOver(call))
  }

  /** Of what has not begun yet, or has no run before this one, there is nothing to read. */
  async #open(range: PodLogRange, call: Call): Promise<AsyncIterable<Buffer>> {
    const { pods, at } = this.#source
    try {
      return await pods.logs(at, range, call)
    } catch (error) {
      const isNothing = isFault(error) && error.reason === 'service_not_running'
      const isNoRun = range.previous && isFault(error) && none.has(error.reason)
      if (!isNothing && !isNoRun) throw error
      return nothing()
    }
  }
}

const none: ReadonlySet<string> = new Set(['engine_object_not_found', 'engine_rejected'])

const isLater = ({ place }: Told, time: string): boolean => place.time > time

async function* nothing(): AsyncGenerator<Buffer> {
  // There is none.
}
