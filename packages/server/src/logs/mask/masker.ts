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

type Held = {
  readonly log: EngineLog
  /** Where it stands in its stream; the end alone matters for a gap. */
  readonly from: number
  readonly to: number
  marks: [from: number, to: number][] | undefined
}

type Position = { state: number; read: number; openFrom: number }

/** Empty lines leave a beginning open for ever: at some point it was none. */
const mostHeld = 1000

export class Masker {
  readonly #automaton: Automaton
  readonly #streams: Record<LogStream, Position> = { stdout: start(), stderr: start() }
  #held: Held[] = []

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
    const held = this.#read(log)
    const { openFrom, read } = this.#streams[log.stream]
    if (this.#held.length === 0 && openFrom === read) {
      out(masked(held))
      return
    }
    this.#held.push(held)
    if (this.#held.length > mostHeld) this.flush(out)
    else this.#release(out)
  }

  /** Lets everything go: the rest did not come in time, so what was open was no beginning, or will be hidden from here on. */
  flush(out: (log: EngineLog) => void): void {
    const held = this.#held
    this.#held = []
    for (const each of held) out(masked(each))
  }

  #read(log: Line): Held {
    const stream = this.#streams[log.stream]
    const from = stream.read
    const held: Held = { log, from, to: from + log.line.length, marks: undefined }
    stream.state = this.#automaton.scan(log.line, stream.state, (end, length) => {
      this.#mark(held, log.stream, from + end - length, from + end)
    })
    stream.read = held.to
    const open = this.#automaton.openAt(stream.state)
    stream.openFrom = held.to - (open < shortestMasked ? 0 : open)
    return held
  }

  #mark(last: Held, stream: LogStream, from: number, to: number): void {
    add(last, from, to)
    if (from >= last.from) return
    for (const held of this.#held) {
      if (held.log.type === 'line' && held.log.stream === stream && held.to > from) add(held, from, to)
    }
  }

  #release(out: (log: EngineLog) => void): void {
    let count = 0
    for (const held of this.#held) {
      const isOpen = held.log.type === 'line' && held.to > this.#streams[held.log.stream].openFrom
      if (isOpen) break
      count += 1
    }
    for (const held of this.#held.splice(0, count)) out(masked(held))
  }
}

function start(): Position {
  return { state: 0, read: 0, openFrom: 0 }
}

/** Ends come in order; so what begins before the last mark's end is one with it. */
function add(held: Held, from: number, to: number): void {
  const within: [number, number] = [Math.max(from, held.from), Math.min(to, held.to)]
  held.marks ??= []
  while (held.marks.length > 0) {
    const [before, until] = held.marks.at(-1) as [number, number]
    if (until < within[0]) break
    within[0] = Math.min(before, within[0])
    held.marks.pop()
  }
  held.marks.push(within)
}

function masked({ log, from, marks }: Held): EngineLog {
  if (!marks || log.type === 'gap') return log
  let line = ''
  let at = 0
  for (const [begin, end] of marks) {
    line += log.line.slice(at, begin - from) + mask
    at = end - from
  }
  return { ...log, line: line + log.line.slice(at) }
}
