/**
 * Pure: the bytes of one HTTP/1.1 answer, in whatever pieces they come. Our own, since the one of node:http costs a question
 * twice of what everything else about it does: it makes a dozen objects for each, and calls for every piece of a body.
 */
import { Fault } from '@gantry/core'
import { type AnswerHead, parseHead } from './answer-head.ts'

export interface AnswerSink {
  head(head: AnswerHead): void
  /** Of the body; the bytes are the caller's until the next push. */
  data(bytes: Buffer, from: number, to: number): void
  /** `reusable`: whether another question may follow on the same connection. Not where more came than was asked for. */
  end(reusable: boolean): void
}

const [lineFeed, mostHead, mostLine] = [10, 256 * 1024, 1024]

type State = 'head' | 'counted' | 'size' | 'chunk' | 'chunk-end' | 'trailer' | 'open' | 'done'

export class AnswerReader {
  readonly #sink: AnswerSink
  #state: State = 'head'
  /** What came of a head or a line that is not whole. */
  #pending: Buffer | undefined
  /** How much of the body, or of a chunk of it, is still to come. */
  #left = 0
  #reusable = true

  constructor(sink: AnswerSink) {
    this.#sink = sink
  }

  push(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length && this.#state !== 'done') {
      switch (this.#state) {
        case 'head':
          at = this.#readHead(bytes, at)
          break
        case 'counted':
        case 'chunk':
          at = this.#readCounted(bytes, at)
          break
        case 'open':
          this.#sink.data(bytes, at, bytes.length)
          at = bytes.length
          break
        default:
          at = this.#readLine(bytes, at)
      }
    }
  }

  /** The connection has ended. Answers whether the answer is whole. */
  close(): boolean {
    if (this.#state === 'open') this.#done(false)
    return this.#state === 'done'
  }

  #readHead(bytes: Buffer, at: number): number {
    const fresh = at === 0 ? bytes : bytes.subarray(at)
    const all = this.#pending ? Buffer.concat([this.#pending, fresh]) : fresh
    const end = all.indexOf('\r\n\r\n')
    if (end < 0) {
      if (all.length > mostHead) throw broken('a head without end')
      this.#pending = all
      return bytes.length
    }
    const known = this.#pending?.length ?? 0
    this.#pending = undefined
    const head = parseHead(all.toString('latin1', 0, end))
    const next = at + end + 4 - known
    // Something on the way: the answer is still to come.
    if (head.status < 200) return next
    this.#reusable = head.keptAlive
    this.#begin(head, next === bytes.length)
    return next
  }

  #begin(head: AnswerHead, isLast: boolean): void {
    this.#sink.head(head)
    if (head.status === 204 || head.status === 304) this.#done(this.#reusable && isLast)
    else if (head.chunked) this.#state = 'size'
    else if (head.length === undefined) this.#state = 'open'
    else if (head.length === 0) this.#done(this.#reusable && isLast)
    else {
      this.#left = head.length
      this.#state = 'counted'
    }
  }

  #readCounted(bytes: Buffer, at: number): number {
    const to = Math.min(bytes.length, at + this.#left)
    this.#sink.data(bytes, at, to)
    this.#left -= to - at
    if (this.#left > 0) return to
    if (this.#state === 'chunk') this.#state = 'chunk-end'
    else this.#done(this.#reusable && to === bytes.length)
    return to
  }

  /** The size of a chunk, the end of one, or what follows the last. */
  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(lineFeed, at)
    if (end < 0) {
      const rest = bytes.subarray(at)
      this.#pending = this.#pending ? Buffer.concat([this.#pending, rest]) : rest
      if (this.#pending.length > mostLine) throw broken('a line without end')
      return bytes.length
    }
    const known = this.#pending
    this.#pending = undefined
    const line = (known?.toString('latin1') ?? '') + bytes.toString('latin1', at, end)
    this.#takeLine(line.endsWith('\r') ? line.slice(0, -1) : line, end + 1 === bytes.length)
    return end + 1
  }

  #takeLine(line: string, isLast: boolean): void {
    if (this.#state === 'chunk-end') {
      if (line !== '') throw broken('a chunk that is longer than it says')
      this.#state = 'size'
    } else if (this.#state === 'trailer') {
      if (line === '') this.#done(this.#reusable && isLast)
    } else {
      const size = Number.parseInt(line, 16)
      if (!/^[0-9a-f]{1,8}\s*(;|$)/i.test(line)) throw broken(`a chunk of size ${line.slice(0, 20)}`)
      this.#left = size
      this.#state = size === 0 ? 'trailer' : 'chunk'
    }
  }

  #done(reusable: boolean): void {
    this.#state = 'done'
    this.#sink.end(reusable)
  }
}

function broken(what: string): Fault {
  return new Fault('bad_answer', `The Kubernetes API, or something before it, answered with ${what}`)
}
