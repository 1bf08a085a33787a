/** Pure: makes lines of entries, from a given place on, each once; and says where the engine has dropped some. */
import { type EngineLog, type LogStream, lineBatch } from '../../log-line.ts'
import { type LogEntry, pieceBytes } from './log-entries.ts'
import {
  formatCursor,
  type LogPlace,
  lastTime,
  lifted,
  momentOf,
  type StreamPlace,
  withoutWitness,
} from './log-place.ts'

/** A longer line is told in pieces: nobody has to hold more of it. */
const longestLine = 256 * 1024
/** Lines are told together that have the same time for us: a time of theirs does not depend on where reading began. */
const sameMoment = '2026-11-16T10:18:57.212'.length

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Lines that are told together; none outlasts a call, so all readers share the place that they are put together in. */
const shared = Buffer.allocUnsafe(lineBatch)

/** A line of which more is to come. */
type Begun = { readonly pieces: LogEntry[]; bytes: number }
type Batch = { readonly stream: LogStream; readonly time: string; readonly moment: string; length: number }

/** Where reading goes on. What was told is not told again; that some of it is still there shows that nothing is missing. */
type Resumed = { readonly until: LogPlace; readonly left: Record<LogStream, number | undefined> }

export class LogLines {
  readonly #tty: boolean
  /** Up to where lines were told. */
  #told: Record<LogStream, StreamPlace>
  #latest = ''
  #resumed: Resumed | undefined
  /** Whether an entry is expected that was told before. */
  #wantsWitness: boolean
  readonly #begun: Partial<Record<LogStream, Begun>> = {}
  #batch: Batch | undefined

  constructor(from: LogPlace, tty: boolean) {
    this.#tty = tty
    this.#told = { ...from }
    this.#resumed = { until: from, left: { stdout: from.stdout.told, stderr: from.stderr.told } }
    this.#wantsWitness = from.stdout.told > 0 || from.stderr.told > 0
  }

  /** Behind all that was told. */
  get place(): LogPlace {
    return { stdout: this.#placeOf('stdout'), stderr: this.#placeOf('stderr') }
  }

  /** Whether a line has begun that has not ended. */
  get hasBegun(): boolean {
    return this.#begun.stdout !== undefined || this.#begun.stderr !== undefined
  }

  take(entries: readonly LogEntry[]): EngineLog[] {
    const logs: EngineLog[] = []
    for (const entry of entries) if (!this.#wasTold(entry, logs)) this.#add(entry, logs)
    this.#closeBatch(logs)
    return logs
  }

  /** Nothing more is there now. */
  end(): EngineLog[] {
    const logs: EngineLog[] = []
    this.#tellMissing(logs, this.#latest)
    return logs
  }

  /** Nothing more comes of lines that had begun before then, since who wrote them has ended. */
  endBegun(before: Date): EngineLog[] {
    const logs: EngineLog[] = []
    for (const stream of ['stdout', 'stderr'] as const) {
      const begun = this.#begun[stream]
      if (begun && momentOf(firstTime(begun)) < before) this.#tellLong(stream, begun, logs)
    }
    return logs
  }

  #wasTold({ stream, time }: LogEntry, logs: EngineLog[]): boolean {
    const resumed = this.#resumed
    const left = resumed?.left[stream]
    if (!resumed || left === undefined) return false
    const until = resumed.until[stream].time
    if (time < until || (time === until && left > 0)) {
      if (time === until) resumed.left[stream] = left - 1
      this.#wantsWitness = false
      return true
    }
    this.#tellMissing(logs, time)
    resumed.left[stream] = undefined
    if (resumed.left.stdout === undefined && resumed.left.stderr === undefined) this.#resumed = undefined
    return false
  }

  #tellMissing(logs: EngineLog[], time: string): void {
    if (!this.#wantsWitness) return
    this.#wantsWitness = false
    this.#told = { ...withoutWitness(this.#told) }
    const at = time === '' ? lastTime(this.#told) : time
    const message = 'Docker has dropped lines here: it keeps no more than its log driver is told to'
    logs.push({ type: 'gap', at: momentOf(at), message, cursor: formatCursor(this.place) })
  }

  #add({ stream, time, data }: LogEntry, logs: EngineLog[]): void {
    if (time > this.#latest) this.#latest = time
    const isLine = data[data.length - 1] === lineFeed
    const begun = this.#begun[stream]
    if (!begun && isLine && data.length < pieceBytes) {
      this.#addLine(stream, time, data, logs)
      return
    }
    this.#closeBatch(logs)
    // A place that lies far back stays there until the line has ended, so it is brought forward now.
    if (!begun) this.#told[stream] = lifted(this.#told[stream], time)
    const line = begun ?? { pieces: [], bytes: 0 }
    this.#begun[stream] = line
    // A copy: what it is part of is much larger, and would be kept with it.
    line.pieces.push({ stream, time, data: Buffer.from(data) })
    line.bytes += data.length
    const isLast = isLine || data.length < pieceBytes || line.bytes >= longestLine
    if (isLast) this.#tellLong(stream, line, logs)
  }

  #addLine(stream: LogStream, time: string, data: Buffer, logs: EngineLog[]): void {
    const moment = time.slice(0, sameMoment)
    let batch = this.#batch
    if (batch && (batch.stream !== stream || batch.moment !== moment || batch.length + data.length > lineBatch)) {
      this.#closeBatch(logs)
      batch = undefined
    }
    batch ??= { stream, time, moment, length: 0 }
    this.#batch = batch
    const kept = this.#tty && data[data.length - 2] === carriageReturn ? data.length - 2 : data.length - 1
    data.copy(shared, batch.length, 0, kept)
    shared[batch.length + kept] = lineFeed
    batch.length += kept + 1
    this.#advance(stream, time)
  }

  #closeBatch(logs: EngineLog[]): void {
    const batch = this.#batch
    if (!batch) return
    this.#batch = undefined
    logs.push(this.#lines(batch.stream, batch.time, shared.toString('utf8', 0, batch.length)))
  }

  #tellLong(stream: LogStream, begun: Begun, logs: EngineLog[]): void {
    delete this.#begun[stream]
    for (const { time } of begun.pieces) this.#advance(stream, time)
    const whole = Buffer.concat(begun.pieces.map(({ data }) => data)).toString()
    const text = whole.replace(this.#tty ? /\r?\n?$/ : /\n$/, '')
    logs.push(this.#lines(stream, firstTime(begun), `${text}\n`))
  }

  #lines(stream: LogStream, time: string, text: string): EngineLog {
    return { type: 'lines', at: momentOf(time), stream, text, cursor: formatCursor(this.place) }
  }

  #advance(stream: LogStream, time: string): void {
    const told = this.#told[stream]
    this.#told[stream] = { time, told: told.time === time ? told.told + 1 : 1 }
  }

  #placeOf(stream: LogStream): StreamPlace {
    return this.#begun[stream] ? this.#told[stream] : lifted(this.#told[stream], this.#latest)
  }
}

const firstTime = ({ pieces }: Begun): string => pieces[0]?.time ?? ''
