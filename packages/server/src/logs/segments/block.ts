/**
 * Lines on disk: text that people can read with any tool, in blocks that are whole or not there. A block is one line with
 * its size, check sum, number of lines, first and last time and the engine's cursor behind its last line; then the lines.
 * A line begins with its stream and its time since the first, as `o12 `; with `o12+5 ` the five lines after it, which have
 * nothing before them, are of the same. Since lines and cursor are in one block, no crash can keep one without the other.
 */
import { crc32 } from 'node:zlib'
import type { StoredLog } from '../stored-log.ts'

export type BlockHead = {
  /** Bytes of the lines. */
  readonly bytes: number
  readonly crc: number
  readonly lines: number
  readonly first: number
  readonly last: number
  readonly cursor: string
}

/** Of the header line; an engine's cursor is far shorter. */
export const longestHead = 8192
/** Of the lines; what says to have more is no header. */
const longestBlock = 4 * 2 ** 20

/** Shorter texts are joined before they become bytes. */
const shortText = 4096

const letters = { stdout: 'o', stderr: 'e', gap: 'g' } as const
const streams: Readonly<Record<string, StoredLog['stream']>> = { o: 'stdout', e: 'stderr', g: 'gap' }

/** Collects lines until they are a block. */
export class BlockBuilder {
  /** Lines that came many at a time, each as bytes at once, so that no long text is joined or kept. */
  #pieces: Buffer[] = []
  /** Lines that came one by one, after the last of these. */
  #short: string[] = []
  #size = 0
  #lines = 0
  #first = 0
  #last = 0

  /** About how much is in it: characters. */
  get size(): number {
    return this.#size
  }

  get lines(): number {
    return this.#lines
  }

  /** Lines of one stream and time, each with its line end. */
  add(at: number, stream: StoredLog['stream'], text: string): void {
    if (this.#lines === 0) this.#first = at
    this.#last = at
    const count = lineEnds(text)
    const more = count > 1 ? `+${count - 1}` : ''
    this.#short.push(`${letters[stream]}${at - this.#first}${more} `)
    if (text.length < shortText) this.#short.push(text)
    else {
      this.#join()
      this.#pieces.push(Buffer.from(text))
    }
    this.#size += text.length
    this.#lines += count
  }

  /** The block up to here, in pieces; what is added next begins another. */
  take(cursor: string): Buffer[] {
    this.#join()
    const pieces = this.#pieces
    const about = `${this.#lines} ${this.#first} ${this.#last} ${JSON.stringify(cursor)}\n`
    let [bytes, sum] = [0, crc32(about)]
    for (const piece of pieces) {
      bytes += piece.length
      sum = crc32(piece, sum)
    }
    this.#pieces = []
    this.#size = 0
    this.#lines = 0
    return [Buffer.from(`#${bytes} ${sum.toString(16)} ${about}`), ...pieces]
  }

  #join(): void {
    if (this.#short.length > 0) this.#pieces.push(Buffer.from(this.#short.join('')))
    this.#short = []
  }
}

function lineEnds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** The header line that begins here, and where its lines do. `undefined`: it is not whole, or not one. */
export function readHead(bytes: Buffer, at: number): { head: BlockHead; from: number } | undefined {
  const end = bytes.subarray(at, at + longestHead).indexOf(0x0a)
  if (end === -1) return undefined
  const text = bytes.toString('utf8', at, at + end)
  const parts = /^#(\d{1,10}) ([0-9a-f]{1,8}) (\d{1,10}) (-?\d{1,16}) (-?\d{1,16}) (".*")$/.exec(text)
  const cursor = parts && parsedCursor(parts[6] as string)
  if (!parts || cursor === undefined || Number(parts[1]) > longestBlock) return undefined
  const [, size, sum, lines, first, last] = parts
  const head = {
    bytes: Number(size),
    crc: Number.parseInt(sum as string, 16),
    lines: Number(lines),
    first: Number(first),
    last: Number(last),
    cursor: cursor as string,
  }
  return { head, from: at + end + 1 }
}

/** Whether these are the lines that the header was written for. */
export function isWhole(head: BlockHead, lines: Buffer): boolean {
  if (lines.length !== head.bytes) return false
  return crc32(lines, crc32(`${head.lines} ${head.first} ${head.last} ${JSON.stringify(head.cursor)}\n`)) === head.crc
}

export function readLines(head: BlockHead, lines: Buffer): StoredLog[] {
  const texts = lines.toString('utf8').split('\n')
  texts.pop()
  const logs: StoredLog[] = []
  for (let next = 0; next < texts.length; ) {
    const [text, { at, stream, more }] = readPrefix(texts[next] as string)
    logs.push({ at: head.first + at, stream, text })
    next += 1
    for (const until = next + more; next < until && next < texts.length; next += 1) {
      logs.push({ at: head.first + at, stream, text: texts[next] as string })
    }
  }
  return logs
}

function readPrefix(line: string): [text: string, { at: number; stream: StoredLog['stream']; more: number }] {
  const space = line.indexOf(' ')
  const plus = line.lastIndexOf('+', space)
  const at = Number(line.slice(1, plus === -1 ? space : plus))
  const more = plus === -1 ? 0 : Number(line.slice(plus + 1, space))
  return [line.slice(space + 1), { at, stream: streams[line[0] ?? ''] ?? 'stdout', more }]
}

function parsedCursor(text: string): string | undefined {
  try {
    const cursor: unknown = JSON.parse(text)
    return typeof cursor === 'string' ? cursor : undefined
  } catch {
    return undefined
  }
}
