/**
 * Hides values of secrets in the lines of one service. A value is also found where it goes over the end of a line, be it
 * that it has several lines or that an engine has cut a long one; lines at whose end a value may have begun are therefore
 * held back until that is known, with those that came with them and all after them, so that lines leave in the order they
 * came. Places in a stream are counted without line ends, and so it is read.
 */
import type { EngineLines, EngineLog, LogStream } from '@gantry/providers'
import type { Automaton } from './automaton.ts'
import { shortestMasked } from './forms.ts'
import { addMark, type Mark, masked } from './marks.ts'

type Held = {
  readonly log: EngineLines
  /** Where it stands in its stream. */
  readonly from: number
  readonly to: number
  marks: Mark[] | undefined
}

type Position = { state: number; read: number; openFrom: number }

/** Empty lines leave a beginning open for ever: at some point it was none. */
const mostHeld = 1000
const mostHeldChars = 2 ** 20

export class Masker {
  readonly #automaton: Automaton
  readonly #streams: Record<LogStream, Position> = { stdout: start(), stderr: start() }
  #held: Held[] = []
  #heldChars = 0
  /** Of what is being read: its stream, and what of it is to be hidden. */
  #reading: LogStream = 'stdout'
  #marks: Mark[] | undefined

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
    const marks = this.#marks
    if (this.#held.length === 0 && stream.openFrom === stream.read) {
      out(marks === undefined ? log : { ...log, text: masked(log.text, from, marks) })
      return
    }
    this.#held.push({ log, from, to: stream.read, marks })
    this.#heldChars += log.text.length
    if (this.#held.length > mostHeld || this.#heldChars > mostHeldChars) this.flush(out)
    else this.#release(out)
  }

  /** Lets everything go: the rest did not come in time, so what was open was no beginning, or will be hidden from here on. */
  flush(out: (log: EngineLog) => void): void {
    this.#leave(this.#held.length, out)
  }

  /** Moves the stream on, and leaves in `#marks` what of this is to be hidden. */
  #read({ text, stream: name }: EngineLines, stream: Position): void {
    this.#reading = name
    this.#marks = undefined
    const read = text.replaceAll('\n', '')
    stream.state = this.#automaton.scan(read, stream.state, this.#found)
    stream.read += read.length
    const open = this.#automaton.openAt(stream.state)
    stream.openFrom = stream.read - (open < shortestMasked ? 0 : open)
  }

  readonly #found = (end: number, length: number): void => {
    const { read } = this.#streams[this.#reading]
    const [from, to] = [read + end - length, read + end]
    this.#marks ??= []
    addMark(this.#marks, Math.max(from, read), to)
    if (from >= read) return
    for (const held of this.#held) {
      if (held.log.stream !== this.#reading || held.to <= from) continue
      held.marks ??= []
      addMark(held.marks, Math.max(from, held.from), held.to)
    }
  }

  #release(out: (log: EngineLog) => void): void {
    const open = this.#held.findIndex(({ log, to }) => to > this.#streams[log.stream].openFrom)
    this.#leave(open === -1 ? this.#held.length : open, out)
  }

  #leave(count: number, out: (log: EngineLog) => void): void {
    for (const { log, from, marks } of this.#held.splice(0, count)) {
      this.#heldChars -= log.text.length
      out(marks ? { ...log, text: masked(log.text, from, marks) } : log)
    }
  }
}

function start(): Position {
  return { state: 0, read: 0, openFrom: 0 }
}
