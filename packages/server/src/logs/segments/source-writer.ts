/**
 * Appends blocks to the segments of one source. What was accepted survives the end of this process at any point; `sync`
 * makes it survive the end of the machine too, which matters once an engine is told that it may forget.
 */
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@gantry/core'
import type { LogSource } from '../source.ts'
import { ActiveSegment } from './active-segment.ts'
import { type Position, segmentsIn, unlessMissing } from './files.ts'
import { inspect, segmentFile, startOf } from './segment.ts'

/** More are not left unsynced: the oldest of them has long been written out by then, so that it costs nothing. */
const mostUnsynced = 16

export class SourceWriter {
  readonly source: LogSource
  readonly folder: string
  #active: ActiveSegment | undefined
  #next: number
  #cursor: string | undefined
  /** Finished segments that a loss of power could still take. */
  #unsynced: string[] = []

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

  /** `firstAt`: time of the first line of the blocks. Begins another segment where this one has reached `limit` bytes. */
  async append(blocks: readonly Buffer[], cursor: string, firstAt: number, limit: number): Promise<{ isNew: boolean }> {
    try {
      const isNew = this.#active === undefined || this.#active.size >= limit
      if (isNew) await this.#begin(blocks, firstAt)
      else await this.#active?.append(blocks)
      this.#cursor = cursor
      return { isNew }
    } catch (error) {
      const { service, index, ref } = this.source
      const message = `Lines of ${ref.tenant}/${ref.workload} (${service} of replica ${index}) cannot be stored: ${codeOf(error)}`
      throw new Fault('logs_unwritable', message, { cause: error })
    }
  }

  async sync(): Promise<void> {
    for (const path of this.#unsynced) await syncFile(path)
    this.#unsynced = []
    if (this.#active) await syncFile(this.#active.path)
  }

  async close(): Promise<void> {
    await this.#active?.close()
  }

  async #begin(blocks: readonly Buffer[], firstAt: number): Promise<void> {
    const path = join(this.folder, segmentFile(this.#next, firstAt))
    const start = startOf(this.source, this.#cursor)
    // Made when this was opened, but empty folders are swept away.
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    // All that may fail comes before the first byte is written: what failed is not there, and comes again.
    if (this.#active) await this.#finish(this.#active)
    this.#active = await ActiveSegment.begin(this.#next, path, [start, ...blocks])
    this.#next += 1
  }

  async #finish({ path }: ActiveSegment): Promise<void> {
    await this.close()
    if (!this.#unsynced.includes(path)) this.#unsynced.push(path)
    if (this.#unsynced.length <= mostUnsynced) return
    await syncFile(this.#unsynced[0] as string)
    this.#unsynced.shift()
  }
}

/** What was removed meanwhile needs no sync. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+').catch(unlessMissing(undefined))
  try {
    await file?.datasync()
  } finally {
    await file?.close()
  }
}

type Found = { readonly active: ActiveSegment | undefined; readonly cursor: string | undefined; readonly next: number }

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
        const active = new ActiveSegment(last.number, path, sound.size)
        return { active, cursor: sound.cursor, next: last.number + 1 }
      }
    } finally {
      await handle.close()
    }
    // Died before the first line of it was there.
    await rm(path)
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}
