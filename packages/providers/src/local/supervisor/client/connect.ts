/** The supervisor of a data folder, as the server sees it: found where it is, started where it is not. */
import { type Call, type Clock, Fault, sleep, systemClock, withDeadline } from '@gantry/core/base'
import { channel, failOnAbort } from '../../../channel.ts'
import { untilGone } from '../../../proc/processes.ts'
import { foldersOf, outputFolder } from '../folders.ts'
import { lockHolder } from '../process-lock.ts'
import type { ProcessEvent, ProcessSeen, ProcessUsage, SupervisorInfo } from '../process-seen.ts'
import type { Supervisor } from '../supervisor.ts'
import type { TrackBy } from '../tracking/choose.ts'
import {
  type Ask,
  eventFromWire,
  infoFromWire,
  protocolVersion,
  seenFromWire,
  specToWire,
  usageFromWire,
} from '../wire/protocol.ts'
import { type Conversation, converse, isAway, lost } from './conversation.ts'
import { execSession } from './exec-session.ts'
import { launchSupervisor } from './launch.ts'
import { readOutput } from './read-output.ts'

export type ConnectOptions = {
  /** Whether one is started where there is none; also later, whenever it has gone. */
  readonly start: boolean
  /** For tests; left out: the best that this machine has. */
  readonly trackBy?: TrackBy
  /** How long one stays with nothing to look after and nobody connected. Left out: a minute. */
  readonly idleMs?: number
  /** Told by `info`. */
  readonly version?: string
  readonly clock?: Clock
  readonly user?: { readonly uid: number; readonly gid: number }
}

const usualIdleMs = 60_000
const startMs = 15_000
const retryMs = 25

/** Does nothing yet: each method connects by itself, so there is nothing to close and nothing to lose. */
export function connectSupervisor(dataDir: string, options: ConnectOptions): Supervisor {
  const { clock = systemClock } = options
  const folders = foldersOf(dataDir)
  const launch = {
    trackBy: options.trackBy ?? 'best',
    idleMs: options.idleMs ?? usualIdleMs,
    version: options.version ?? '0.1.0',
    ...(options.user && { user: options.user }),
  }

  const supervisor: Supervisor = {
    info: async (call) => infoFromWire((await request({ method: 'info' }, call)) as SupervisorInfo),
    async prepare(call) {
      await request({ method: 'prepare' }, call)
    },
    ensure: (spec, call) => seen({ method: 'ensure', spec: specToWire(spec) }, call),
    async ensureInOrder(specs, call) {
      const answer = await request({ method: 'ensureInOrder', specs: specs.map(specToWire) }, call)
      return (answer as ProcessSeen[]).map(seenFromWire)
    },
    start: (id, call) => seen({ method: 'start', id }, call),
    stop: (id, { graceMs }, call) => seen({ method: 'stop', id, ...(graceMs !== undefined && { graceMs }) }, call),
    async remove(id, call) {
      await request({ method: 'remove', id }, call)
    },
    async look(id, call) {
      const found = (await request({ method: 'look', id }, call)) as ProcessSeen | null
      return found === null ? undefined : seenFromWire(found)
    },
    async list(labels, call) {
      return ((await request({ method: 'list', labels }, call)) as ProcessSeen[]).map(seenFromWire)
    },
    async usage(ids, call) {
      return ((await request({ method: 'usage', ...(ids && { ids }) }, call)) as ProcessUsage[]).map(usageFromWire)
    },
    watch,
    output: (id, from, call) => readOutput(outputFolder(folders, id), from, call),
    exec: (id, asked, call) => execSession(id, asked, open, call),
    async shutdown({ processes }, call) {
      const holder = lockHolder(folders.lock)
      if (!holder) return
      await (await converse(folders.socket, { method: 'shutdown', processes }, call)).answer
      if (!(await untilGone(holder, startMs))) throw lost(undefined)
    },
  }
  return supervisor

  async function seen(ask: Ask, call: Call): Promise<ProcessSeen> {
    return seenFromWire((await request(ask, call)) as ProcessSeen)
  }

  async function request(ask: Ask, call: Call): Promise<unknown> {
    return (await open(ask, call)).answer
  }

  /** Puts one of our version in the place of another's; what it looks after goes on running. */
  async function replace(call: Call): Promise<void> {
    await supervisor.shutdown({ processes: 'keep' }, call)
  }

  /** Finds it, or starts it and waits until it answers. */
  async function open(ask: Ask, call: Call, onEvent?: (event: unknown) => void): Promise<Conversation> {
    try {
      const found = await converse(folders.socket, ask, call, onEvent)
      if (found.theirs === protocolVersion || !options.start) return found
      found.leave()
      await replace(call)
    } catch (error) {
      if (!options.start || !isAway(error)) throw error
    }
    const { signal, clear, passed } = withDeadline(clock, startMs, 'Starting the supervisor of local processes', call)
    try {
      if (!lockHolder(folders.lock)) launchSupervisor(dataDir, launch)
      for (let waited = 0; ; waited += retryMs) {
        await sleep(clock, retryMs, { signal })
        try {
          return await converse(folders.socket, ask, call, onEvent)
        } catch (error) {
          if (!isAway(error)) throw error
        }
        // The one that held the lock may have been about to end.
        if (waited > 0 && waited % 1000 === 0 && !lockHolder(folders.lock)) launchSupervisor(dataDir, launch)
      }
    } catch (error) {
      if (!passed()) throw error
      throw new Fault('engine_unreachable', `The supervisor of local processes did not start: see ${folders.log}`, {
        cause: error,
      })
    } finally {
      clear()
    }
  }

  async function* watch(call: Call): AsyncGenerator<ProcessEvent> {
    const events = channel<ProcessEvent>()
    const leaveSignal = failOnAbort(events, call.signal)
    try {
      const conversation = await open({ method: 'watch' }, call, (event) =>
        events.push(eventFromWire(event as ProcessEvent)),
      )
      conversation.answer.then(
        () => events.fail(lost(undefined)),
        (error: unknown) => events.fail(error),
      )
      try {
        yield* events
      } finally {
        conversation.leave()
      }
    } finally {
      leaveSignal()
    }
  }
}
