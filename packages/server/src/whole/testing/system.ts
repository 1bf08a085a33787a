/** The whole of it as a user has it: the server as a program, its supervisor, its edge, and real processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, type WebSocketLike } from '@gantry/api'
import { isFault } from '@gantry/core'
import { connectSupervisor } from '@gantry/providers/local'
import { WebSocket } from 'ws'
import { freePort } from '../../testing/crash/server-process.ts'
import { processesOf } from './leftovers.ts'
import { until } from './until.ts'

export type System = {
  readonly dataDir: string
  readonly client: Client
  /** Where the edge listens. */
  readonly edgePort: number
  /** The server's pid, while it runs. */
  readonly pid: number | undefined
  /** Everything that the server has said, of all its lives. */
  readonly output: () => string
  start(env?: NodeJS.ProcessEnv): Promise<void>
  /** `kill -9` of the server alone. */
  kill(): Promise<void>
  /** In order; workloads go on running. */
  stop(): Promise<void>
  /** Ends everything, and says what is left over: nothing, if all is well. */
  dispose(): Promise<readonly string[]>
}

const program = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))

export type SystemOptions = {
  readonly program?: string
  readonly args?: readonly string[]
  /** Called with each life of the server, which then has a channel to this process. */
  readonly onStart?: (child: ChildProcess) => void
  /** Before the first start: the data folder is not there yet, the one around it is. */
  readonly prepare?: (dataDir: string) => Promise<void>
  /** When nothing runs any more, before the folders are removed. */
  readonly tidy?: () => Promise<void>
}

export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-whole-'))
  // Processes of other users must get through it, or their files would be kept elsewhere, where nobody tidies up.
  await chmod(folder, 0o711)
  const dataDir = join(folder, 'data')
  await options.prepare?.(dataDir)
  const edgePort = await freePort()
  const apiPort = await freePort()
  const server = `http://127.0.0.1:${apiPort}`
  let child: ChildProcess | undefined
  let said = ''
  const token = async (): Promise<string> => (await readFile(join(dataDir, 'admin.token'), 'utf8')).trim()

  async function start(env: NodeJS.ProcessEnv = {}): Promise<void> {
    const args = ['--data', dataDir, '--listen', `127.0.0.1:${apiPort}`, '--edge', `127.0.0.1:${edgePort}`]
    const { GANTRY_DATA: _, ...rest } = process.env
    const started = spawn(process.execPath, [options.program ?? program, ...args, ...(options.args ?? [])], {
      env: { ...rest, GANTRY_CONTEXTS: join(folder, 'contexts.json'), ...env },
      // Who has a channel to it ends it by that: what a terminal says to all that was started from there is not said to it.
      detached: options.onStart !== undefined,
      stdio: options.onStart ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
    })
    child = started
    options.onStart?.(started)
    started.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString()))
    started.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()))
    await until(
      'the server to listen',
      async () => {
        if (started.exitCode !== null || started.signalCode !== null) return 'ended'
        return (await fetch(`${server}/healthz`)).ok ? 'listens' : 'waits'
      },
      (state) => state !== 'waits',
      // One that cannot start ends; one on a busy machine is only slow.
      { everyMs: 20, withinMs: 300_000 },
    )
  }

  async function gone(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ending = child
    child = undefined
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill(signal)
    await ended
  }

  const system: System = {
    dataDir,
    edgePort,
    client: createClient({ server, token, fetch, webSocket }),
    get pid() {
      return child?.pid
    },
    output: () => said,
    start,
    kill: () => gone('SIGKILL'),
    stop: () => gone('SIGTERM'),
    async dispose() {
      await gone('SIGTERM')
      const call = { signal: AbortSignal.timeout(60_000) }
      const supervisor = connectSupervisor(dataDir, { start: false })
      await supervisor.shutdown({ processes: 'stop' }, call).catch(ignoreAbsent)
      const left = await until(
        'nothing of it to run',
        () => processesOf(folder),
        (found) => found.length === 0,
        { withinMs: 15_000 },
      ).catch(() => processesOf(folder))
      for (const line of left) process.kill(Number(line.split(' ', 1)[0]), 'SIGKILL')
      await options.tidy?.()
      await rm(folder, { recursive: true, force: true })
      return left
    },
  }
  return system
}

/** Node 20 has none of its own. */
const webSocket = (url: string, protocols: string[]): WebSocketLike =>
  new WebSocket(url, protocols) as unknown as WebSocketLike

/** There was none to shut down. */
function ignoreAbsent(error: unknown): void {
  if (!isFault(error, 'unavailable')) throw error
}
