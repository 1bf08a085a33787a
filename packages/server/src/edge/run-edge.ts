/** The edge of a data folder: found running, or started; as a process of the supervisor, or inside this one. */
import { asFault, type Call, type Clock, Fault, isFault, orAbort, sleep, withDeadline } from '@gantry/core'
import { controlPath, edgeMain, startEdge } from '@gantry/edge'
import { connectSupervisor, type ProcessSpec, type Supervisor } from '@gantry/providers/local'

/** process: outlives the server. embedded: ends with it. */
export type EdgeMode = 'process' | 'embedded'

export type EdgePlace = {
  readonly mode: EdgeMode
  readonly data: string
  readonly listen: { readonly host: string; readonly port: number }
  readonly clock: Clock
  /** Told of every try that failed after the server went on without it. */
  readonly onTrouble: (fault: Fault) => void
}

export type RunningEdge = {
  /** Of its control socket. */
  readonly path: string
  /** Of one that is embedded; one that is a process goes on. Twice is harmless. */
  stop(): Promise<void>
}

export const edgeProcessId = 'gantry-edge'

/** For requests that are in flight when an embedded edge ends. */
const graceMs = 10_000
/** A server that cannot say what is wrong is worse than one without an edge: so long it waits for it, and then goes on. */
const patienceMs = 5000
const tryAgainMs = 2000
/** How long one that listens elsewhere may take to end. */
const replaceMs = 30_000
const lookAgainMs = 50

export async function runEdge(place: EdgePlace, call: Call): Promise<RunningEdge> {
  const { mode, data, listen, clock } = place
  const path = controlPath(data)
  if (mode === 'embedded') {
    const edge = await startEdge({ dataDir: data, listen, clock })
    return { path, stop: () => edge.stop(graceMs) }
  }
  const supervisor = connectSupervisor(data, { start: true, clock })
  const over = new AbortController()
  const trying = startInTime(() => ensureEdge(supervisor, edgeSpec(data, listen), clock, over), place, over)
  await orAbort(trying, call).catch((error: unknown) => {
    over.abort(error)
    throw error
  })
  return { path, stop: async () => over.abort(new Fault('shutting_down', 'The server is stopping')) }
}

/** Returns when it is started, and anyway when patience is over; then it is tried on. Rejects if it is refused before. */
export async function startInTime(
  start: () => Promise<void>,
  { clock, onTrouble }: Pick<EdgePlace, 'clock' | 'onTrouble'>,
  over: Call,
): Promise<void> {
  const first = start()
  const waited = new AbortController()
  const patience = sleep(clock, patienceMs, waited).then(
    () => 'late' as const,
    () => 'started' as const,
  )
  const outcome = await Promise.race([first.then(() => 'started' as const), patience]).finally(() => waited.abort())
  if (outcome === 'started') return
  onTrouble(new Fault('edge_unreachable', 'The edge is not started yet; the server goes on without it, and tries on'))
  void tryOn(first)

  async function tryOn(attempt: Promise<void>): Promise<void> {
    for (let next = attempt; !over.signal.aborted; next = start()) {
      try {
        return await next
      } catch (error) {
        if (over.signal.aborted) return
        onTrouble(asFault(error))
      }
      await sleep(clock, tryAgainMs, over).catch(() => undefined)
    }
  }
}

function edgeSpec(data: string, { host, port }: EdgePlace['listen']): ProcessSpec {
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  return {
    id: edgeProcessId,
    labels: { 'gantry.dev/part': 'edge' },
    role: 'system',
    argv: [process.execPath, edgeMain(), '--data', data, '--listen', address],
    cwd: data,
    env: { PATH: process.env.PATH ?? '', GANTRY_DATA: data },
    // Whatever ends it, it is worth starting again: everything behind it depends on it.
    restart: { policy: 'always', maxPerHour: 1_000_000, backoff: { firstMs: 50, longestMs: 5_000, stableMs: 10_000 } },
    stopGraceMs: graceMs,
    keepOutputBytes: 1024 * 1024,
  }
}

/** One that was started otherwise (another address, another version of Node) gives way; one that was stopped is started. */
export async function ensureEdge(supervisor: Supervisor, spec: ProcessSpec, clock: Clock, call: Call): Promise<void> {
  const deadline = withDeadline(clock, replaceMs, 'Starting the edge', call)
  try {
    for (;;) {
      try {
        const { phase } = await supervisor.ensure(spec, deadline)
        if (phase === 'stopped' || phase === 'failed' || phase === 'ended') await supervisor.start(spec.id, deadline)
        return
      } catch (error) {
        if (!isFault(error) || error.reason !== 'already_exists') throw error
      }
      const { phase } = await supervisor.stop(spec.id, {}, deadline)
      if (phase === 'stopped') await supervisor.remove(spec.id, deadline)
      else await sleep(clock, lookAgainMs, deadline)
    }
  } catch (error) {
    throw deadline.passed()
      ? new Fault('deadline_exceeded', `The edge could not be started within ${replaceMs / 1000} s`, { cause: error })
      : error
  } finally {
    deadline.clear()
  }
}
