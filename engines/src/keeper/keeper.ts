/**
 * The keeper of one instance: the parent of its processes, alive for as long as somebody holds it. Users hold it by a
 * connection, which the system closes for them however they end; so nothing outlives its users, not even after kill -9.
 */
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { type Call, type Clock, Fault, isFault, sleep, withDeadline } from '@gantry/core'
import { type EngineDefinition, instanceFolder, type RestartMode, type Running, type Settings } from '../engine.ts'
import { makePassable, socketOf } from '../folder.ts'
import { tryLock } from '../lock.ts'
import { spawnRecorded } from './children.ts'
import { Desk } from './desk.ts'
import { forgetFailure, recordFailure } from './failure.ts'
import { type KeeperStatus, keeperFiles, type Outcome } from './protocol.ts'
import { clearRemains, sweep } from './remains.ts'

/** Some engines are compiled the first time. */
const installMs = 45 * 60_000
const startMs = 120_000
const stopMs = 60_000

export type KeeperOptions = {
  readonly definition: EngineDefinition<unknown>
  readonly folder: string
  /** A private instance ends with its one user; a shared one waits a little for the next. */
  readonly kind: 'shared' | 'private'
  readonly graceMs: number
  readonly settings: Settings
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Ends the keeper, and the engine with it. */
  readonly signal: AbortSignal
}

/** Resolves when the engine has ended and everything is cleaned up; at once, if another keeper has the folder. */
export async function keep(options: KeeperOptions): Promise<void> {
  const { definition, folder, kind, clock, log } = options
  makePassable(folder)
  const held = tryLock(join(folder, keeperFiles.lock))
  if (!held) return log('another keeper has this folder')
  let desk: Desk | undefined
  try {
    const ended = (await clearRemains(definition, folder, options)) + (await sweep(definition, options))
    if (ended > 0) log(`ended ${ended} processes that an earlier keeper left behind`)
    desk = await serve(options)
    await clearRemains(definition, folder, { clock, signal: AbortSignal.timeout(stopMs) })
    if (kind === 'private') await rm(folder, { recursive: true, force: true })
  } finally {
    held.release()
    await desk?.hangUp()
  }
}

/**
 * From the first user to the last, also if the engine is missing: somebody is to hear why. Resolves with the desk shut
 * and the engine stopped.
 */
async function serve(options: KeeperOptions): Promise<Desk> {
  const { folder, kind, graceMs, clock, log } = options
  const server = await listen(socketOf(folder))
  const closing = new AbortController()
  const close = (why: string): void => closing.abort(new Fault('aborted', why))
  const onEnd = (): void => close('the keeper was told to end')
  options.signal.addEventListener('abort', onEnd, { once: true })
  let running: Running<unknown> | undefined
  let state: KeeperStatus['state'] = 'starting'

  const outcome = start(options, closing).then(
    (started): Outcome => {
      running = started
      state = 'ready'
      log('ready')
      forgetFailure(folder)
      void started.ended.then((how) => close(`the engine ${how}`))
      return { state: 'ready', address: started.address }
    },
    (error: unknown): Outcome => {
      const why = isFault(error) ? error.message : `its start failed: ${String(error)}`
      log(`missing: ${why}${isFault(error) && error.detail ? `\n${error.detail}` : ''}`)
      state = 'missing'
      recordFailure(folder, { why, at: clock.now() })
      return { state: 'missing', why }
    },
  )
  const restart = async (mode: RestartMode): Promise<void> => {
    if (kind === 'shared' || !running) throw new Fault('engine_refused', 'only a private engine that runs is restarted')
    await running.restart(mode, closing)
  }
  const desk = new Desk({ server, graceMs, clock, outcome, state: () => state, restart, close, log })

  while (!closing.signal.aborted) {
    await sleep(clock, 100, closing).catch(() => undefined)
    desk.look()
  }
  options.signal.removeEventListener('abort', onEnd)
  log(`stopping: ${(closing.signal.reason as Fault).message}`)
  desk.shut()
  await outcome
  await (running as Running<unknown> | undefined)?.stop({ signal: AbortSignal.timeout(stopMs) })
  return desk
}

function listen(socket: string): Promise<Server> {
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 })
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(socket, () => resolve(server))
  })
}

async function start({ definition, folder, settings, clock }: KeeperOptions, call: Call): Promise<Running<unknown>> {
  const why = await definition.probe(call)
  if (why !== undefined) throw new Fault('engine_unreachable', why)
  const programs = await within(installMs, 'installation', (call) => definition.install(call))
  const record = join(folder, keeperFiles.processes)
  const site = {
    folder: makePassable(join(folder, instanceFolder)),
    programs,
    settings,
    spawn: spawnRecorded.bind(undefined, record),
  }
  return within(startMs, 'start', (call) => definition.start(site, call))

  async function within<T>(ms: number, what: string, work: (call: Call) => Promise<T>): Promise<T> {
    const deadline = withDeadline(clock, ms, `The ${what} of ${definition.name}`, call)
    try {
      return await work(deadline)
    } finally {
      deadline.clear()
    }
  }
}
