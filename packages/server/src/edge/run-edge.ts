/** The edge of a data folder: found running, or started; as a process of the supervisor, or inside this one. */
import { type Call, type Clock, Fault, isFault, sleep, withDeadline } from '@gantry/core'
import { controlPath, edgeMain, startEdge } from '@gantry/edge'
import { connectSupervisor, type ProcessSpec, type Supervisor } from '@gantry/providers/local'

/** process: outlives the server. embedded: ends with it. */
export type EdgeMode = 'process' | 'embedded'

export type EdgePlace = {
  readonly mode: EdgeMode
  readonly data: string
  readonly listen: { readonly host: string; readonly port: number }
  readonly clock: Clock
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
/** How long one that listens elsewhere may take to end. */
const replaceMs = 30_000
const lookAgainMs = 50

export async function runEdge({ mode, data, listen, clock }: EdgePlace, call: Call): Promise<RunningEdge> {
  const path = controlPath(data)
  if (mode === 'embedded') {
    const edge = await startEdge({ dataDir: data, listen, clock })
    return { path, stop: () => edge.stop(graceMs) }
  }
  await ensureEdge(connectSupervisor(data, { start: true, clock }), edgeSpec(data, listen), clock, call)
  return { path, stop: async () => undefined }
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
