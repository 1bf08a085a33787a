/** The supervisor as a whole, from taking the lock to ending: everything but the arguments of its program. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemClock } from '@gantry/core/base'
import { runExec } from './exec/exec-host.ts'
import { type FolderWatch, watchFolder } from './folder-watch.ts'
import { type Folders, foldersOf } from './folders.ts'
import { type Journal, openJournal } from './journal.ts'
import { memoryDir, releaseMemoryDir, wipeMemoryDir } from './memory-dir.ts'
import { PipePool } from './output/pipe-pool.ts'
import { watchRaw } from './output/raw-watch.ts'
import { takeLock } from './process-lock.ts'
import type { ProcessSeen, SupervisorInfo } from './process-seen.ts'
import { type SecretShelf, secretShelf } from './secret-shelf.ts'
import { Supervision } from './supervision.ts'
import { byMarker } from './tracking/by-marker.ts'
import { chooseHolding, type Holding, type TrackBy } from './tracking/choose.ts'
import { type Ask, type ExecInput, specFromWire } from './wire/protocol.ts'
import { type Connection, serveSocket } from './wire/socket-server.ts'

export type ProgramOptions = {
  readonly dataDir: string
  readonly trackBy: TrackBy
  /** How long it stays with nothing to look after and nobody connected. */
  readonly idleMs: number
  readonly version: string
}

const log = (message: string): void => void process.stderr.write(`${new Date().toISOString()} ${message}\n`)

/** Resolves when it has ended: false if another one is there already. */
export async function runSupervisor(options: ProgramOptions): Promise<boolean> {
  const folders = foldersOf(options.dataDir)
  for (const folder of [folders.raw, folders.pipes, folders.output]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  mkdirSync(`${options.dataDir}/run`, { recursive: true, mode: 0o700 })
  const lock = takeLock(folders.lock)
  if (!lock) return false
  const program = new Program(options, folders)
  try {
    await program.run()
  } finally {
    lock.release()
  }
  return true
}

class Program {
  readonly #options: ProgramOptions
  readonly #folders: Folders
  readonly #journal: Journal
  readonly #holding: Holding
  readonly #memoryDir: string | undefined
  readonly #secrets: SecretShelf
  readonly #folder: FolderWatch
  readonly #supervision: Supervision
  readonly #startedAt = new Date()
  readonly #closeOutput: () => void
  #end: () => void = () => undefined

  constructor(options: ProgramOptions, folders: Folders) {
    this.#options = options
    this.#folders = folders
    this.#journal = openJournal(folders.journal)
    this.#holding = chooseHolding(options.dataDir, options.trackBy)
    this.#memoryDir = memoryDir(options.dataDir)
    this.#secrets = secretShelf(this.#memoryDir)
    this.#folder = watchFolder(dirname(folders.lock))
    const raw = watchRaw(folders.raw, systemClock, log)
    const pipes = new PipePool(folders.pipes, systemClock)
    this.#closeOutput = () => {
      raw.close()
      pipes.close()
    }
    const { tracking, limiter } = this.#holding
    this.#supervision = new Supervision({
      folders,
      journal: this.#journal,
      clock: systemClock,
      secrets: this.#secrets,
      tracking,
      trackingOf: (kind) => (kind === tracking.kind ? tracking : byMarker),
      limiter,
      output: { folders, clock: systemClock, pipes, onGrowth: raw.onGrowth, log },
      log,
    })
  }

  async run(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#end = resolve
    })
    this.#supervision.adopt()
    const server = await serveSocket(this.#folders.socket, this.#options.version, (ask, connection) =>
      this.#asked(ask, connection),
    )
    log(`Looks after ${this.#options.dataDir} as process ${process.pid}, by ${this.#holding.tracking.kind}`)
    // Processes are not ended by what ends us: whoever wants that says `shutdown`.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => this.#end())
    const stopLooking = this.#endWhenIdle(server.connections)
    await ended
    stopLooking()
    const isGone = this.#folder.isGone()
    this.#folder.close()
    this.#closeOutput()
    this.#supervision.close()
    await this.#journal.settled()
    await server.close()
    this.#journal.close()
    this.#holding.sweep()
    if (isGone) wipeMemoryDir(this.#memoryDir)
    else releaseMemoryDir(this.#memoryDir)
    log(isGone ? `Has ended: ${this.#options.dataDir} was deleted, and nobody could find it again` : 'Has ended')
  }

  #endWhenIdle(connections: () => number): () => void {
    const { idleMs } = this.#options
    let since = systemClock.monotonic()
    let cancel = (): void => undefined
    const look = (): void => {
      if (this.#folder.isGone()) return void this.#abandoned()
      if (connections() > 0 || !this.#supervision.idle) since = systemClock.monotonic()
      if (systemClock.monotonic() - since >= idleMs) this.#end()
      cancel = systemClock.after(Math.min(1000, idleMs), look)
    }
    look()
    return () => cancel()
  }

  /** What runs would run for ever: nobody could ask for its end any more. */
  async #abandoned(): Promise<void> {
    log(`${this.#options.dataDir} was deleted: stops what runs, with its grace, and ends`)
    try {
      await this.#supervision.stopAll()
    } catch (error) {
      log(`Could not stop all of it: ${error}`)
    } finally {
      this.#end()
    }
  }

  async #asked(ask: Ask, connection: Connection): Promise<unknown> {
    const supervision = this.#supervision
    switch (ask.method) {
      case 'info':
        return this.#info()
      case 'prepare':
        supervision.prepare()
        return undefined
      case 'ensure':
        return supervision.ensure(specFromWire(ask.spec))
      case 'ensureInOrder':
        return supervision.ensureInOrder(ask.specs.map(specFromWire))
      case 'start':
        return supervision.start(ask.id)
      case 'stop':
        return supervision.stop(ask.id, ask.graceMs)
      case 'remove':
        return supervision.remove(ask.id)
      case 'look':
        return ((await supervision.look(ask.id)) ?? null) satisfies ProcessSeen | null
      case 'list':
        return supervision.list(ask.labels)
      case 'usage':
        return supervision.usage(ask.ids)
      case 'watch':
        return this.#watch(connection)
      case 'exec':
        return this.#exec(ask, connection)
      case 'shutdown':
        if (ask.processes === 'stop') await supervision.stopAll()
        setImmediate(() => this.#end())
        return undefined
    }
  }

  #info(): SupervisorInfo {
    const noMemory =
      'There is no storage in memory here: secrets are lost with the supervisor, and given again by the server'
    return {
      version: this.#options.version,
      pid: process.pid,
      startedAt: this.#startedAt,
      tracking: this.#holding.tracking.kind,
      enforces: this.#holding.limiter.enforces,
      memoryDir: this.#memoryDir,
      limits: [...this.#holding.limits, ...(this.#memoryDir === undefined ? [noMemory] : [])],
      memoryBytes: process.memoryUsage.rss(),
    }
  }

  /** Until the other side leaves. */
  #watch(connection: Connection): Promise<void> {
    return new Promise((resolve) => {
      const leave = this.#supervision.watch((event) => connection.event(event))
      connection.onGone(() => {
        leave()
        resolve()
      })
    })
  }

  /** Until it has ended, or the other side has left. */
  async #exec(ask: Extract<Ask, { method: 'exec' }>, connection: Connection): Promise<void> {
    const { state } = this.#supervision.keeper(ask.id)
    const tracking = state.group?.kind === this.#holding.tracking.kind ? this.#holding.tracking : byMarker
    let ended: () => void = () => undefined
    const over = new Promise<void>((resolve) => {
      ended = resolve
    })
    const exec = await runExec(ask, state, this.#secrets.get(ask.id), tracking, (event) => {
      connection.event(event)
      if ('exit' in event) ended()
    })
    connection.onFrame((frame) => exec.input(frame as ExecInput))
    connection.onGone(() => {
      exec.abandon()
      ended()
    })
    await over
  }
}
