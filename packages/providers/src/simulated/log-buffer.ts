/** What one service of one replica has written: the newest lines, a count of those that were discarded, and who reads on. */
import { type Channel, channel, failOnAbort } from '../channel.ts'
import type { EngineLog, LogFrom, LogStream } from '../log-line.ts'

const kept = 1000

export class LogBuffer {
  readonly #lines: EngineLog[] = []
  /** Number of the first line that is still here. */
  #first = 0
  #ended = false
  readonly #readers = new Set<Channel<EngineLog>>()

  write(stream: LogStream, line: string, now: number): void {
    const number = this.#first + this.#lines.length
    const entry: EngineLog = { type: 'lines', at: new Date(now), stream, text: `${line}\n`, cursor: String(number) }
    this.#lines.push(entry)
    if (this.#lines.length > kept * 2) this.#first += this.#lines.splice(0, kept).length
    for (const reader of this.#readers) reader.push(entry)
  }

  /** The replica is gone: who follows has read all there will ever be. */
  end(): void {
    this.#ended = true
    for (const reader of this.#readers) reader.close()
    this.#readers.clear()
  }

  /** Loses the connections of all who follow, as when the engine is lost. */
  sever(error: unknown): void {
    for (const reader of this.#readers) reader.fail(error)
    this.#readers.clear()
  }

  /** `onLeave` runs once, when the reader is through or walks away. */
  read(
    from: LogFrom,
    signal: AbortSignal,
    now: number,
    onLeave: () => void = () => undefined,
  ): AsyncIterable<EngineLog> {
    const out = channel<EngineLog>(() => {
      this.#readers.delete(out)
      stop()
      onLeave()
    })
    const stop = failOnAbort(out, signal)
    for (const entry of this.#select(from, now)) out.push(entry)
    if (from.follow && !this.#ended) this.#readers.add(out)
    else out.close()
    return out
  }

  #select({ cursor, since, tail }: LogFrom, now: number): EngineLog[] {
    if (cursor !== undefined) {
      const next = Number(cursor) + 1
      const missed = this.#first - next
      const rest = this.#lines.slice(Math.max(0, next - this.#first))
      return missed > 0 ? [this.#gap(missed, now), ...rest] : rest
    }
    const recent = since ? this.#lines.filter(({ at }) => at >= since) : this.#lines
    if (tail !== undefined) return tail === 0 ? [] : recent.slice(-tail)
    return this.#first > 0 && !since ? [this.#gap(this.#first, now), ...recent] : recent.slice()
  }

  #gap(missed: number, now: number): EngineLog {
    const message = `${missed} lines were discarded here`
    return { type: 'gap', at: this.#lines[0]?.at ?? new Date(now), message, cursor: String(this.#first - 1) }
  }
}
