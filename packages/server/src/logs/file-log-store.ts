/** Logs in files: `<folder>/<tenant>/<workload uid>/<source>/<number>.<first time>.log`. */
import { rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Call, type Clock, Fault } from '@gantry/core'
import { type LogLimits, segmentLimit } from './limits.ts'
import type { Appended, KeptSource, LogAppender, LogStore, WorkloadLogs } from './log-store.ts'
import { namesIn, segmentsIn, unlessMissing } from './segments/files.ts'
import { expendable, type KeptSegment } from './segments/retention.ts'
import { SourceWriter } from './segments/source-writer.ts'
import { folderOf, type LogSource, readFolder, type SourceName } from './source.ts'

type Listener = (appended: Appended) => void

export class FileLogStore implements LogStore {
  readonly clock: Clock
  readonly #folder: string
  readonly #limits: LogLimits
  /** By folder, of each workload. */
  readonly #open = new Map<string, Map<string, SourceWriter>>()
  /** Folders that are open, or being opened. */
  readonly #taken = new Set<string>()
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #sweeping = new Map<string, Promise<void>>()

  constructor({ folder, clock, limits }: { folder: string; clock: Clock; limits: LogLimits }) {
    this.clock = clock
    this.#folder = folder
    this.#limits = limits
  }

  async open(source: LogSource): Promise<LogAppender> {
    const workload = this.#workloadFolder(source.ref)
    const folder = join(workload, folderOf(source))
    if (this.#taken.has(folder)) {
      throw new Fault('unexpected', `The logs in ${folderOf(source)} are being written already`)
    }
    this.#taken.add(folder)
    const writer = await SourceWriter.open(source, folder).catch((error: unknown) => {
      this.#taken.delete(folder)
      throw error
    })
    // Not before: while one was opened, others may have been.
    const open = this.#open.get(workload) ?? new Map<string, SourceWriter>()
    this.#open.set(workload, open)
    open.set(folder, writer)
    const name = readFolder(folderOf(source)) as SourceName
    return {
      get cursor() {
        return writer.cursor
      },
      append: async (blocks, cursor, firstAt) => {
        const { isNew } = await writer.append(blocks, cursor, firstAt, segmentLimit(this.#limits, open.size))
        for (const listener of this.#listeners.get(source.ref.uid) ?? [])
          listener({ name, folder, until: writer.end, cursor })
        if (isNew) await this.#sweepWorkload(workload)
      },
      sync: () => writer.sync(),
      close: async () => {
        this.#taken.delete(folder)
        open.delete(folder)
        if (open.size === 0 && this.#open.get(workload) === open) this.#open.delete(workload)
        await writer.close()
      },
    }
  }

  async sources(of: WorkloadLogs, call: Call): Promise<KeptSource[]> {
    const workload = this.#workloadFolder(of)
    const found: KeptSource[] = []
    for (const entry of await namesIn(workload)) {
      call.signal.throwIfAborted()
      const name = readFolder(entry)
      const folder = join(workload, entry)
      const segments = name ? await segmentsIn(folder) : []
      const [first, last] = [segments[0], segments.at(-1)]
      if (!name || !first || !last) continue
      const writer = this.#open.get(workload)?.get(folder)
      const until = writer?.end ?? { segment: last.number, offset: Number.MAX_SAFE_INTEGER }
      found.push({ name, folder, first: first.first, until, isOpen: writer !== undefined })
    }
    return found
  }

  subscribe(uid: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(uid) ?? new Set<Listener>()
    this.#listeners.set(uid, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(uid) === listeners) this.#listeners.delete(uid)
    }
  }

  async sweep(call: Call): Promise<void> {
    for (const tenant of await namesIn(this.#folder)) {
      for (const uid of await namesIn(join(this.#folder, tenant))) {
        call.signal.throwIfAborted()
        await this.#sweepWorkload(join(this.#folder, tenant, uid))
      }
    }
  }

  #workloadFolder({ tenant, uid }: WorkloadLogs): string {
    return join(this.#folder, tenant, uid)
  }

  /** One at a time for each workload: a second would count what the first is removing. */
  async #sweepWorkload(workload: string): Promise<void> {
    const before = this.#sweeping.get(workload)
    if (before) return await before
    const work = this.#removeExpendable(workload).finally(() => this.#sweeping.delete(workload))
    this.#sweeping.set(workload, work)
    await work
  }

  async #removeExpendable(workload: string): Promise<void> {
    const segments: KeptSegment[] = []
    const closed: string[] = []
    for (const entry of await namesIn(workload)) {
      const folder = join(workload, entry)
      const writer = this.#open.get(workload)?.get(folder)
      if (!writer) closed.push(folder)
      for (const { file, number } of await segmentsIn(folder)) {
        const path = join(folder, file)
        const about = await stat(path).catch(unlessMissing(undefined))
        const isActive = number === writer?.activeSegment
        if (about) segments.push({ path, bytes: about.size, writtenAt: about.mtimeMs, isActive })
      }
    }
    const { workloadBytes: maxBytes, maxAgeMs } = this.#limits
    for (const path of expendable(segments, { maxBytes, maxAgeMs, now: this.clock.now() }))
      await rm(path, { force: true })
    for (const folder of closed) {
      if (!this.#open.get(workload)?.has(folder)) await removeIfEmpty(folder)
    }
    if (!this.#open.has(workload)) await removeIfEmpty(workload)
    if (!this.#open.has(workload)) await removeIfEmpty(dirname(workload))
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  })
}
