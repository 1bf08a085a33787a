/** The edge as a whole, in whatever process: a proxy, the table it goes by, and the control socket. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '@gantry/core'
import { openControl } from './control/control-server.ts'
import type { EdgeAnswer, EdgeState } from './control/protocol.ts'
import type { ReadQuestion } from './control/question-schema.ts'
import { createListener, type Listener } from './listener.ts'
import { controlPath, tablePath } from './paths.ts'
import { type EdgeLimits, usualLimits } from './proxy/limits.ts'
import { createProxy } from './proxy/proxy.ts'
import { Stalls } from './proxy/stalls.ts'
import { Fleet } from './routing/fleet.ts'
import { tableFile } from './table-file.ts'
import { readTable } from './table-schema.ts'

export type EdgeOptions = {
  readonly dataDir: string
  readonly listen: { readonly host: string; readonly port: number }
  readonly clock: Clock
  readonly limits?: Partial<EdgeLimits>
  /** A sentence for whoever reads the output of the program. */
  readonly say?: (sentence: string) => void
}

export interface Edge {
  state(): EdgeState
  /** Takes nothing new, waits for what is in flight but no longer than this. Twice is harmless. */
  stop(graceMs: number): Promise<void>
  /** Resolves when it was stopped, also over the control socket. */
  readonly stopped: Promise<void>
}

/** Serves by the table on disk from the start, whether or not anybody is there to hand it another one. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { dataDir, clock, say = () => undefined } = options
  const limits = { ...usualLimits, ...options.limits }
  const fleet = new Fleet(limits, clock)
  const stalls = new Stalls(clock, limits.stallMs)
  const proxy = createProxy({ clock, limits, stalls, fleet })
  const file = tableFile(tablePath(dataDir))
  const run = randomUUID()

  const { table, trouble } = await file.load()
  if (trouble !== undefined) say(trouble)
  let inForce = table
  fleet.apply(inForce)

  let listener: Listener | undefined
  let stopping: Promise<void> | undefined
  let resolveStopped: () => void = () => undefined
  const stopped = new Promise<void>((resolve) => {
    resolveStopped = resolve
  })
  // Before the port: it is what tells that another edge has this folder.
  const control = await openControl(controlPath(dataDir), { state, answer })
  listener = createListener(proxy, options.listen, clock, say)
  return { state, stop, stopped }

  function state(): EdgeState {
    return { protocol: 1, run, pid: process.pid, table: fleet.routing.number, ...listener?.state() }
  }

  function stop(graceMs: number): Promise<void> {
    stopping ??= end(graceMs)
    return stopping
  }

  async function end(graceMs: number): Promise<void> {
    await listener?.close(graceMs)
    stalls.stop()
    fleet.close()
    await control.close()
    resolveStopped()
  }

  async function answer(question: ReadQuestion): Promise<EdgeAnswer> {
    const { id } = question
    switch (question.ask) {
      case 'state':
        return { id, state: state() }
      case 'table':
        return { id, table: inForce }
      case 'figures':
        return { id, figures: fleet.figures(run, clock.monotonic()) }
      case 'in_flight':
        return { id, inFlight: question.backends.map((backend) => ({ backend, count: fleet.inFlight(backend) })) }
      case 'stop':
        // After the answer is out; a failure to end is the program's end anyway.
        setImmediate(() => void stop(question.graceMs))
        return { id, stopping: true }
      case 'swap':
        return await swap(id, question.table)
    }
  }

  async function swap(id: number, value: unknown): Promise<EdgeAnswer> {
    const read = readTable(value)
    if ('wrong' in read) {
      return { id, refused: { reason: 'invalid', message: `The edge cannot read this table: ${read.wrong}` } }
    }
    const { number } = fleet.routing
    if (read.table.number < number) {
      const message = `Table ${read.table.number} is older than ${number}, which the edge routes by`
      return { id, refused: { reason: 'stale', message } }
    }
    try {
      await file.keep(read.table)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const message = `The edge cannot keep table ${read.table.number}, and stays with ${number}: ${why}`
      return { id, refused: { reason: 'disk', message } }
    }
    inForce = read.table
    fleet.apply(inForce)
    const inFlight = fleet.leaving().map((backend) => ({ backend: backend.id, count: backend.counts.inFlight }))
    return { id, swapped: read.table.number, inFlight }
  }
}
