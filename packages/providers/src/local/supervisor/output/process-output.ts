/** The output of one process: pumps that fill raw files, and moving those into segments. */
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, sleep } from '@gantry/core/base'
import type { LogStream } from '../../../log-line.ts'
import { codeOf, isAlive, type ProcessIdentity, sendSignal, statOf } from '../../../proc/processes.ts'
import { type Folders, outputFolder } from '../folders.ts'
import type { PipePool } from './pipe-pool.ts'
import { openPipe, pipeOf, pumpMarker, reopenPipe, startPump } from './pump.ts'
import { SegmentWriter } from './segment-writer.ts'

const streams = ['stdout', 'stderr'] as const satisfies readonly LogStream[]
const chunkBytes = 256 << 10
/** A raw file that has grown so large begins anew. */
const rawBytes = 16 << 20
const settleMs = 5
/** What a process says at first waits in its pipes: while it starts, it has the machine to itself. */
const pumpAfterMs = 200
const pumpAgainMs = 1000
const shared = Buffer.allocUnsafe(chunkBytes)

type Stream = {
  readonly file: string
  readonly fd: number
  pump: ProcessIdentity | undefined
  /** Whether there ever was a pump: else all of it is still in the pipe. */
  pumped: boolean
  restarting: boolean
}

/** A pipe that has no pump yet. */
type Unpumped = { readonly stream: LogStream; readonly run: number; readonly marker: string; readonly read: number }

export type OutputSite = {
  readonly folders: Folders
  readonly clock: Clock
  readonly pipes: PipePool
  /** Tells when a raw file has grown; the answer takes the listener away. */
  readonly onGrowth: (file: string, task: () => void) => () => void
  readonly log: (message: string) => void
}

/** Who writes into which pipes, so that a pump that was killed can be replaced. */
export type Writing = {
  readonly main: ProcessIdentity
  readonly marker: string
  readonly pipes: Readonly<Record<LogStream, number>>
}

export class ProcessOutput {
  readonly #site: OutputSite
  readonly #id: string
  readonly #writer: SegmentWriter
  #open: Partial<Record<LogStream, Stream>> = {}
  #unlisten: (() => void)[] = []
  #timer: (() => void) | undefined
  #cancelPumps: () => void = () => undefined
  #writing: Writing | undefined
  #unpumped: readonly Unpumped[] = []

  constructor(id: string, keepBytes: number, site: OutputSite) {
    this.#id = id
    this.#site = site
    this.#writer = new SegmentWriter(outputFolder(site.folders, id), keepBytes)
  }

  /** Begins a run: answers the pipes for the process, which the caller closes after it was started. */
  async begin(run: number, marker: string, owner: { uid: number; gid: number } | undefined): Promise<number[]> {
    this.detach()
    const { clock, pipes } = this.#site
    const paths = [await pipes.take(), await pipes.take()]
    this.#writer.beginRun(run, clock.now())
    for (const stream of streams) rmSync(this.#rawFile(run, stream), { force: true })
    const ends = paths.map((path) => openPipe(path, owner))
    this.#unpumped = streams.map((stream, at) => ({ stream, run, marker, read: ends[at]?.read ?? -1 }))
    this.#cancelPumps = clock.after(pumpAfterMs, () => this.#startPumps())
    return ends.map(({ write }) => write)
  }

  /** Goes on where our predecessor was, with the pumps that it has left. */
  adopt(run: number, pumps: Partial<Record<LogStream, ProcessIdentity>>): void {
    if (this.#writer.state.run !== run) return
    for (const stream of streams) {
      const pumped = existsSync(this.#rawFile(run, stream))
      this.#attach(run, stream, pumps[stream], pumped)
      this.#finishRestart(stream)
    }
    this.#moveAll()
  }

  /** The process writes from now on. */
  written(writing: Writing): void {
    this.#writing = writing
  }

  /** The process is gone: takes the rest, for as long as the pumps need for it. */
  async end(patienceMs: number): Promise<void> {
    this.#startPumps()
    const isLost = this.#unpumped.length > 0 || Object.values(this.#open).some(({ pumped }) => !pumped)
    if (isLost) this.gap('What it said last is missing: it ended before anybody took it over')
    const { clock } = this.#site
    const until = clock.monotonic() + patienceMs
    const signal = new AbortController().signal
    const pumps = Object.values(this.#open).flatMap(({ pump }) => pump ?? [])
    while (pumps.some(isAlive)) {
      if (clock.monotonic() >= until) {
        // Someone outside of the tree holds the pipe; a pump that waits has taken all there was.
        for (const pump of pumps) sendSignal(pump, 'SIGKILL')
      }
      await sleep(clock, 5, { signal })
    }
    this.#moveAll()
    this.#writer.endRun(clock.now())
    this.detach()
    const { run } = this.#writer.state
    for (const stream of streams) rmSync(this.#rawFile(run, stream), { force: true })
  }

  /** Says into the output that something is missing there. */
  gap(message: string): void {
    this.#writer.gap(message, this.#site.clock.now())
  }

  /** Stops moving; the pumps go on. What no pump was started for is lost. */
  detach(): void {
    this.#writing = undefined
    this.#cancelPumps()
    this.#timer?.()
    this.#timer = undefined
    for (const each of this.#unlisten.splice(0)) each()
    for (const { fd } of Object.values(this.#open)) closeSync(fd)
    this.#open = {}
    for (const { read } of this.#unpumped) closeSync(read)
    this.#unpumped = []
  }

  close(): void {
    this.#startPumps()
    this.detach()
    this.#writer.close()
  }

  #rawFile(run: number, stream: LogStream): string {
    return join(this.#site.folders.raw, `${this.#id}.${run}.${stream}`)
  }

  #attach(run: number, stream: LogStream, pump: ProcessIdentity | undefined, pumped: boolean): Stream {
    const file = this.#rawFile(run, stream)
    const fd = openSync(file, 'a+', 0o600)
    const open = { file, fd, pump, pumped, restarting: false }
    this.#open[stream] = open
    this.#unlisten.push(this.#site.onGrowth(file, () => this.#soon()))
    return open
  }

  #startPumps(): void {
    this.#cancelPumps()
    this.#unpumped = this.#unpumped.filter((each) => !this.#startsPump(each))
    if (this.#unpumped.length === 0) return
    this.#cancelPumps = this.#site.clock.after(pumpAgainMs, () => this.#startPumps())
  }

  #startsPump({ stream, run, marker, read }: Unpumped): boolean {
    try {
      const open = this.#open[stream] ?? this.#attach(run, stream, undefined, false)
      open.pump = startPump(read, open.file, pumpMarker(marker, stream), () => this.#soon())
      open.pumped = true
    } catch (error) {
      // The disk may be full, or the machine full of processes.
      this.#site.log(`Nobody takes over ${stream} of ${this.#id} yet (${codeOf(error)}): ${String(error)}`)
      return false
    }
    closeSync(read)
    return true
  }

  /** Lines that come together are taken together, a few milliseconds later: one write instead of hundreds. */
  #soon(): void {
    this.#timer ??= this.#site.clock.after(settleMs, () => {
      this.#timer = undefined
      try {
        if (this.#moveSome()) this.#soon()
      } catch (error) {
        // Tried again with the next growth, and at the latest by the watch's own clock.
        this.#site.log(`The output of ${this.#id} cannot be moved (${codeOf(error)}): ${String(error)}`)
      }
    })
  }

  #moveAll(): void {
    while (this.#moveSome()) {
      // Bounded by what is there: nobody writes any more, or it is our first look.
    }
  }

  /** One chunk of each stream; true if there may be more. */
  #moveSome(): boolean {
    let more = false
    for (const stream of streams) {
      if (this.#moveChunk(stream)) more = true
      else this.#revive(stream)
    }
    return more
  }

  #moveChunk(stream: LogStream): boolean {
    const open = this.#open[stream]
    if (!open || open.restarting) return false
    const read = this.#take(stream, open)
    const { offset, rawBase } = this.#writer.state[stream]
    if (offset - rawBase >= rawBytes) this.#restartRaw(stream, open)
    return read === chunkBytes
  }

  #take(stream: LogStream, { fd }: Stream): number {
    const { offset, rawBase } = this.#writer.state[stream]
    const read = readSync(fd, shared, 0, chunkBytes, offset - rawBase)
    if (read > 0) this.#writer.append(stream, shared.subarray(0, read), this.#site.clock.now())
    return read
  }

  /**
   * Lets a raw file begin anew: with its pump held still nothing is added between the last look and the cut. That it is cut
   * is written before it is; a successor that finds the pump still held does what was left to do (`#finishRestart`).
   */
  #restartRaw(stream: LogStream, open: Stream): void {
    if (!open.pump || !sendSignal(open.pump, 'SIGSTOP')) return
    open.restarting = true
    const held = (): void => {
      const state = open.pump && statOf(open.pump.pid)
      if (this.#open[stream] !== open) return
      if (state && state.started === open.pump?.started && state.state !== 'T') this.#site.clock.after(1, held)
      else this.#beginRaw(stream, open)
    }
    held()
  }

  #beginRaw(stream: LogStream, open: Stream): void {
    try {
      while (this.#take(stream, open) > 0) {
        // Until all of it is in the segments.
      }
      this.#writer.rebase(stream, this.#site.clock.now())
      ftruncateSync(open.fd, 0)
    } catch (error) {
      this.#site.log(`The raw output of ${this.#id} grows on (${codeOf(error)}): ${String(error)}`)
    }
    open.restarting = false
    if (open.pump) sendSignal(open.pump, 'SIGCONT')
    this.#soon()
  }

  /** A pump that was killed is replaced while somebody writes; what it had read and not written is lost, and said to be. */
  #revive(stream: LogStream): void {
    const open = this.#open[stream]
    const writing = this.#writing
    if (!open || !writing || open.restarting || (open.pump && isAlive(open.pump)) || !isAlive(writing.main)) return
    const pipe = writing.pipes[stream]
    // It may have closed its output, or write elsewhere by now: then there is nothing to pump, and the end was an end.
    if (pipeOf(writing.main.pid, stream) !== pipe) return
    const read = reopenPipe(writing.main.pid, stream)
    try {
      open.pump = startPump(read, open.file, pumpMarker(writing.marker, stream), () => this.#soon())
    } finally {
      closeSync(read)
    }
    if (open.pumped) this.gap(`What took over ${stream} was killed here, and some of it may be missing`)
    open.pumped = true
  }

  /** A pump that is held still was so by a predecessor that died while it let the raw file begin anew. */
  #finishRestart(stream: LogStream): void {
    const open = this.#open[stream]
    const stat = open?.pump && statOf(open.pump.pid)
    if (!open || stat?.state !== 'T') return
    const { offset, rawBase } = this.#writer.state[stream]
    // It was written that the file begins anew, so all that is in it has been moved.
    if (offset === rawBase && fstatSync(open.fd).size > 0) ftruncateSync(open.fd, 0)
    if (open.pump) sendSignal(open.pump, 'SIGCONT')
  }
}
