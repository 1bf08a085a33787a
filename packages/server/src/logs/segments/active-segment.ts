/** The segment that is being written. What was accepted survives the end of this process at any point. */
import { type FileHandle, open, rm, truncate } from 'node:fs/promises'

/** Whoever writes so much at once goes on: its file stays open. There are as many sources as processes, and most are quiet. */
const busyBytes = 64 * 1024

export class ActiveSegment {
  readonly number: number
  readonly path: string
  #size: number
  #file: FileHandle | undefined
  /** A write ended in the middle: there may be half a block behind what counts. */
  #isTorn = false

  constructor(number: number, path: string, size: number) {
    this.number = number
    this.path = path
    this.#size = size
  }

  /** A new file, with these bytes in it; if that failed, there is none. */
  static async begin(number: number, path: string, pieces: readonly Buffer[]): Promise<ActiveSegment> {
    const segment = new ActiveSegment(number, path, 0)
    segment.#file = await open(path, 'ax', 0o600)
    try {
      await segment.append(pieces)
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    return segment
  }

  get size(): number {
    return this.#size
  }

  /** All of it, or none that counts. */
  async append(pieces: readonly Buffer[]): Promise<void> {
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
    if (this.#isTorn) await truncate(this.path, this.#size)
    this.#isTorn = true
    try {
      this.#file ??= await open(this.path, 'a')
      await writeAll(this.#file, pieces, bytes)
    } catch (error) {
      await this.close()
      throw error
    }
    if (bytes < busyBytes) await this.close()
    this.#size += bytes
    this.#isTorn = false
  }

  /** Another append opens it again. */
  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }
}

async function writeAll(file: FileHandle, pieces: readonly Buffer[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(pieces)
  if (bytesWritten === bytes) return
  const all = Buffer.concat(pieces)
  for (let at = bytesWritten; at < bytes; ) at += (await file.write(all, at)).bytesWritten
}
