/** Output of containers and commands: frames of eight bytes and a payload, whatever pieces they arrive in. */
import { Fault } from '@gantry/core'

export type OutputFrame = {
  /** A terminal has one stream only, which is called stdout here. */
  readonly stream: 'stdout' | 'stderr'
  readonly data: Buffer
}

const headerBytes = 8
/** The engine cuts output into pieces far smaller: more is not output of a container. */
const mostBytes = 16 * 1024 * 1024
/** By the first byte of a header. The engine says `stdin` for what it echoes. */
const streams = ['stdout', 'stdout', 'stderr'] as const
/** What follows is not output, but why the engine cannot give more of it. */
const engineError = 3

/** Takes chunks as they come, and gives every frame once it is whole. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): OutputFrame[] {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    const frames: OutputFrame[] = []
    let at = 0
    while (this.#pending.length - at >= headerBytes) {
      const failed = this.#pending[at] === engineError
      const { stream, size } = failed ? errorHeader(this.#pending, at) : header(this.#pending, at)
      const end = at + headerBytes + size
      if (this.#pending.length < end) break
      if (failed) throw refusedWith(this.#pending.toString('utf8', at + headerBytes, end))
      if (size > 0) frames.push({ stream, data: this.#pending.subarray(at + headerBytes, end) })
      at = end
    }
    this.#pending = this.#pending.subarray(at)
    return frames
  }

  /** Throws `engine_unreachable` if the end came in the middle of a frame. */
  end(): void {
    if (this.#pending.length === 0) return
    throw new Fault('engine_unreachable', 'Docker ended its output in the middle of a piece; ask for it again')
  }
}

function header(bytes: Buffer, at: number): { stream: OutputFrame['stream']; size: number } {
  const stream = streams[bytes[at] ?? streams.length]
  const size = bytes.readUInt32BE(at + 4)
  const isHeader = stream !== undefined && bytes.readUIntBE(at + 1, 3) === 0 && size <= mostBytes
  if (isHeader) return { stream, size }
  const detail = bytes.subarray(at, at + headerBytes).toString('hex')
  throw new Fault('bad_answer', 'Docker sent output without frames; does the container have a terminal?', { detail })
}

function errorHeader(bytes: Buffer, at: number): { stream: OutputFrame['stream']; size: number } {
  return { stream: 'stderr', size: Math.min(bytes.readUInt32BE(at + 4), mostBytes) }
}

function refusedWith(words: string): Fault {
  return new Fault('engine_refused', `Docker cannot give more of this output: ${words.trim()}`)
}

/** Whole frames out of a connection; for a terminal, the bytes as they come. */
export async function* framesOf(chunks: AsyncIterable<Buffer>, tty: boolean): AsyncGenerator<OutputFrame> {
  for await (const frames of frameBlocks(chunks, tty)) yield* frames
}

/** The same, as many at a time as came together: a step of an iterator costs more than a frame. */
export async function* frameBlocks(
  chunks: AsyncIterable<Buffer>,
  tty: boolean,
): AsyncGenerator<readonly OutputFrame[]> {
  const reader = new FrameReader()
  for await (const chunk of chunks) yield tty ? [{ stream: 'stdout', data: chunk }] : reader.push(chunk)
  reader.end()
}
