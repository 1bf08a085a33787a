/** Lines on their way into the store: masked, cut where they are too long, and written as blocks. */
import { type EngineLog, linesOf } from '@gantry/providers'
import type { LogLimits } from '../limits.ts'
import type { LogAppender } from '../log-store.ts'
import type { Automaton } from '../mask/automaton.ts'
import { Masker } from '../mask/masker.ts'
import { BlockBuilder } from '../segments/block.ts'

export class Batch {
  readonly #appender: LogAppender
  readonly #limits: LogLimits
  readonly #masker: Masker | undefined
  readonly #block = new BlockBuilder()
  /** Whole ones, in pieces, which wait to be written together. */
  #blocks: Buffer[] = []
  #bytes = 0
  #cursor = ''
  #firstAt = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(appender: LogAppender, limits: LogLimits, automaton: Automaton | undefined) {
    this.#appender = appender
    this.#limits = limits
    this.#masker = automaton && new Masker(automaton)
  }

  /** Lines wait to be written. */
  get hasLines(): boolean {
    return this.#bytes > 0 || this.#block.lines > 0
  }

  /** As much as should wait: write before more is added. */
  get isFull(): boolean {
    return this.#bytes >= this.#limits.writeBytes
  }

  /** A line waits for what may follow it. */
  get isHolding(): boolean {
    return this.#masker?.isHolding ?? false
  }

  add(log: EngineLog): void {
    if (this.#masker) this.#masker.push(log, this.#take)
    else this.#take(log)
  }

  /** Waits no longer for what may follow. */
  release(): void {
    this.#masker?.flush(this.#take)
  }

  /** Writes what there is; one write after the other. After a failure the batch is to be thrown away. */
  flush(): Promise<void> {
    if (!this.hasLines) return this.#writing
    if (this.#block.lines > 0) this.#endBlock()
    const [firstAt, cursor, blocks] = [this.#firstAt, this.#cursor, this.#blocks]
    this.#blocks = []
    this.#bytes = 0
    this.#writing = this.#writing.then(() => this.#appender.append(blocks, cursor, firstAt))
    return this.#writing
  }

  /** Nothing is being written any more, be it that it failed. */
  async settled(): Promise<void> {
    await this.#writing.catch(() => undefined)
  }

  #endBlock(): void {
    const block = this.#block.take(this.#cursor)
    this.#blocks.push(...block)
    this.#bytes += block.reduce((sum, { length }) => sum + length, 0)
  }

  readonly #take = (log: EngineLog): void => {
    const at = log.at.getTime()
    if (!this.hasLines) this.#firstAt = at
    this.#cursor = log.cursor
    if (log.type === 'gap') this.#block.add(at, 'gap', `${log.message.replaceAll('\n', '\u2028')}\n`)
    else this.#block.add(at, log.stream, cut(log.text, this.#limits.lineChars))
    if (this.#block.size >= this.#limits.blockChars) this.#endBlock()
  }
}

/** The same lines, those that are too long in pieces. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const pieces = linesOf(text).flatMap((line) => (line.length > longest ? piecesOf(line, longest) : line))
  return `${pieces.join('\n')}\n`
}

function piecesOf(line: string, longest: number): string[] {
  return Array.from({ length: Math.ceil(line.length / longest) }, (_, at) =>
    line.slice(at * longest, (at + 1) * longest),
  )
}
