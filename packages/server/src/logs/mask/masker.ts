/**
 * Hides values of secrets in the lines of one service. A value is also found where it goes over the end of a line, be it
 * that it has several lines or that an engine has cut a long one; lines at whose end a value may have begun are therefore
 * held back until that is known, with those that came with them and all after them, so that lines leave in the order they
 * came. Places in a stream are counted without line ends, as the automaton reads it.
 */
import type { EngineLines, EngineLog, LogStream } from '@gantry/providers'
import { LineEnds } from '../line-ends.ts'
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
  /** Of what is being read: the log itself, what of it is to be hidden, and its line ends once something is. */
  #reading: EngineLines | undefined
  #marks: Mark[] | undefined
  #ends: LineEnds | undefined

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
    const open = this.#read(log, stream)
    const marks = this.#marks
    if (this.#held.length === 0 && open === 0) {
      // The usual way. Nothing is held that counts from where this stream is, so it need not be counted on.
      stream.openFrom = from
      out(marks === undefined ? log : { ...log, text: masked(log.text, from, marks) })
      return
    }
    const to = from + log.text.length - (this.#ends ?? new LineEnds(log.text)).before(log.text.length)
    stream.read = to
    stream.openFrom = to - open
    this.#held.push({ log, from, to, marks })
    this.#heldChars += log.text.length
    if (this.#held.length > mostHeld || this.#heldChars > mostHeldChars) this.flush(out)
    else this.#release(out)
  }

  /** Lets everything go: the rest did not come in time, so what was open was no beginning, or will be hidden from here on. */
  flush(out: (log: EngineLog) => void): void {
    this.#leave(this.#held.length, out)
  }

  /** Leaves in `#marks` what of this is to be hidden, and answers how many characters at its end may be a beginning. */
  #read(log: EngineLines, stream: Position): number {
    this.#reading = log
    this.#marks = undefined
    this.#ends = undefined
    stream.state = this.#automaton.scan(log.text, stream.state, this.#found)
    const open = this.#automaton.openAt(stream.state)
    return open < shortestMasked ? 0 : open
  }

  readonly #found = (end: number, length: number): void => {
    const { stream, text } = this.#reading as EngineLines
    const { read } = this.#streams[stream]
    this.#ends ??= new LineEnds(text)
    const to = read + end - this.#ends.before(end)
    const from = to - length
    this.#marks ??= []
    addMark(this.#marks, Math.max(from, read), to)
    if (from >= read) return
    for (const held of this.#held) {
      if (held.log.stream !== stream || held.to <= from) continue
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
