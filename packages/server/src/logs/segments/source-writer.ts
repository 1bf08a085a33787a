/**
 * Appends blocks to the segments of one source. What was accepted survives the end of this process at any point; `sync`
 * makes it survive the end of the machine too, which matters once an engine is told that it may forget.
 */
import { mkdir, open, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@gantry/core'
import type { LogSource } from '../source.ts'
import { type Position, segmentsIn } from './files.ts'
import { inspect, segmentFile, startOf } from './segment.ts'

type Active = { readonly number: number; readonly path: string; size: number }

export class SourceWriter {
  readonly source: LogSource
  readonly folder: string
  #active: Active | undefined
  #next: number
  #cursor: string | undefined
  /** A write ended in the middle: there may be half a block behind what counts. */
  #isTorn = false

  private constructor(source: LogSource, folder: string, found: Found) {
    this.source = source
    this.folder = folder
    this.#active = found.active
    this.#cursor = found.cursor
    this.#next = found.next
  }

  /** Finds where the last one stopped, and cuts off what it did not finish. */
  static async open(source: LogSource, folder: string): Promise<SourceWriter> {
    return new SourceWriter(source, folder, await recover(folder))
  }

  /** Where the engine is to go on from; `undefined`: from its beginning. */
  get cursor(): string | undefined {
    return this.#cursor
  }

  /** Behind the last block. */
  get end(): Position {
    return this.#active
      ? { segment: this.#active.number, offset: this.#active.size }
      : { segment: this.#next, offset: 0 }
  }

  /** Number of the segment that is being written, which must not be removed. */
  get activeSegment(): number | undefined {
    return this.#active?.number
  }

  /** `firstAt`: time of the first line of the block. Begins another segment where this one has reached `limit` bytes. */
  async append(block: Buffer, cursor: string, firstAt: number, limit: number): Promise<{ isNew: boolean }> {
    const isFull = this.#active !== undefined && this.#active.size >= limit
    if (isFull) await this.sync()
    try {
      const isNew = this.#active === undefined || isFull
      if (isNew) await this.#begin(block, firstAt)
      else await this.#extend(this.#active as Active, block)
      this.#cursor = cursor
      return { isNew }
    } catch (error) {
      const { service, index, ref } = this.source
      const message = `Lines of ${ref.tenant}/${ref.workload} (${service} of replica ${index}) cannot be stored: ${codeOf(error)}`
      throw new Fault('logs_unwritable', message, { cause: error })
    }
  }

  async sync(): Promise<void> {
    if (!this.#active) return
    const handle = await open(this.#active.path, 'r+')
    try {
      await handle.datasync()
    } finally {
      await handle.close()
    }
  }

  async #begin(block: Buffer, firstAt: number): Promise<void> {
    const path = join(this.folder, segmentFile(this.#next, firstAt))
    const start = startOf(this.source, this.#cursor)
    // Made when this was opened, but empty folders are swept away.
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const handle = await open(path, 'wx', 0o600)
    try {
      await writeAll(handle, Buffer.concat([start, block]))
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await handle.close()
    }
    this.#active = { number: this.#next, path, size: start.length + block.length }
    this.#next += 1
    this.#isTorn = false
  }

  async #extend(active: Active, block: Buffer): Promise<void> {
    if (this.#isTorn) await truncate(active.path, active.size)
    this.#isTorn = true
    const handle = await open(active.path, 'a')
    try {
      await writeAll(handle, block)
    } finally {
      await handle.close()
    }
    active.size += block.length
    this.#isTorn = false
  }
}

type Found = { readonly active: Active | undefined; readonly cursor: string | undefined; readonly next: number }

async function recover(folder: string): Promise<Found> {
  for (;;) {
    const segments = await segmentsIn(folder)
    const last = segments.at(-1)
    if (!last) return { active: undefined, cursor: undefined, next: 1 }
    const path = join(folder, last.file)
    const handle = await open(path, 'r+')
    try {
      const sound = await inspect(handle)
      if (sound) {
        await handle.truncate(sound.size)
        const active = { number: last.number, path, size: sound.size }
        return { active, cursor: sound.cursor, next: last.number + 1 }
      }
    } finally {
      await handle.close()
    }
    // Died before the first line of it was there.
    await rm(path)
  }
}

async function writeAll(handle: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<void> {
  let at = 0
  while (at < bytes.length) at += (await handle.write(bytes, at)).bytesWritten
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}
