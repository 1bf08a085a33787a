/**
 * Hides values of secrets in the lines of one service. A value is also found where it goes over the end of a line, be it
 * that it has several lines or that an engine has cut a long one; a line at whose end a value may have begun is therefore
 * held back until that is known, and with it all after it, so that lines leave in the order they came.
 */
import type { EngineLog, LogStream } from '@gantry/providers'
import type { Automaton } from './automaton.ts'
import { shortestMasked } from './forms.ts'

export const mask = '[secret]'

type Line = Extract<EngineLog, { type: 'line' }>

/** Places in a stream. */
type Mark = [from: number, to: number]

type Held = {
  readonly log: EngineLog
  /** Where it stands in its stream; the end alone matters for a gap. */
  readonly from: number
  readonly to: number
  marks: Mark[] | undefined
}

type Position = { state: number; read: number; openFrom: number }

/** Empty lines leave a beginning open for ever: at some point it was none. */
const mostHeld = 1000

export class Masker {
  readonly #automaton: Automaton
  readonly #streams: Record<LogStream, Position> = { stdout: start(), stderr: start() }
  #held: Held[] = []
  #marks: Mark[] | undefined
  #reading: LogStream = 'stdout'

  constructor(automaton: Automaton) {
    this.#automaton = automaton
  }

  get isHolding(): boolean {
    return this.#held.length > 0
  }

  /** Tells `out` of whatever may leave now. */
  push(log: EngineLog, out: (log: EngineLog) => void): void {
    if (log.type === 'gap') {
      // Nothing that began before it ends after it.
      this.flush(out)
      out(log)
      return
    }
    const stream = this.#streams[log.stream]
    const from = stream.read
    this.#read(log, stream)
    if (this.#held.length === 0 && stream.openFrom === stream.read) {
      out(this.#marks === undefined ? log : masked(log, from, this.#marks))
      return
    }
    this.#held.push({ log, from, to: stream.read, marks: this.#marks })
    if (this.#held.length > mostHeld) this.flush(out)
    else this.#release(out)
  }

  /** Lets everything go: the rest did not come in time, so what was open was no beginning, or will be hidden from here on. */
  flush(out: (log: EngineLog) => void): void {
    const held = this.#held
    this.#held = []
    for (const each of held) out(leaving(each))
  }

  /** Moves the stream on, and leaves in `#marks` what of this line is to be hidden. */
  #read({ line, stream: name }: Line, stream: Position): void {
    this.#marks = undefined
    this.#reading = name
    stream.state = this.#automaton.scan(line, stream.state, this.#found)
    stream.read += line.length
    const open = this.#automaton.openAt(stream.state)
    stream.openFrom = stream.read - (open < shortestMasked ? 0 : open)
  }

  readonly #found = (end: number, length: number): void => {
    const { read } = this.#streams[this.#reading]
    const [from, to] = [read + end - length, read + end]
    this.#marks ??= []
    add(this.#marks, Math.max(from, read), to)
    if (from >= read) return
    for (const held of this.#held) {
      if (held.log.type !== 'line' || held.log.stream !== this.#reading || held.to <= from) continue
      held.marks ??= []
      add(held.marks, Math.max(from, held.from), Math.min(to, held.to))
    }
  }

  #release(out: (log: EngineLog) => void): void {
    let count = 0
    for (const held of this.#held) {
      const isOpen = held.log.type === 'line' && held.to > this.#streams[held.log.stream].openFrom
      if (isOpen) break
      count += 1
    }
    for (const held of this.#held.splice(0, count)) out(leaving(held))
  }
}

function start(): Position {
  return { state: 0, read: 0, openFrom: 0 }
}

/** Ends come in order; so what begins before the last mark's end is one with it. */
function add(marks: Mark[], from: number, to: number): void {
  let begin = from
  while (marks.length > 0) {
    const [before, until] = marks.at(-1) as Mark
    if (until < begin) break
    begin = Math.min(before, begin)
    marks.pop()
  }
  marks.push([begin, to])
}

function leaving({ log, from, marks }: Held): EngineLog {
  return marks && log.type === 'line' ? masked(log, from, marks) : log
}

function masked(log: Line, from: number, marks: readonly Mark[]): EngineLog {
  let line = ''
  let at = 0
  for (const [begin, end] of marks) {
    line += log.line.slice(at, begin - from) + mask
    at = end - from
  }
  return { ...log, line: line + log.line.slice(at) }
}
