/** PostgreSQL: the real server, from the npm package that carries it. Its settings are those of a durable server. */
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Call, Fault, isFault, orAbort, sleep, systemClock } from '@gantry/core'
import type { EngineDefinition, RestartMode, Running, Site } from './engine.ts'
import { enterableByAll, rigFolder } from './folder.ts'
import { childEnd } from './keeper/children.ts'
import { freePort } from './port.ts'
import { installPostgres, postgresPackage, postgresVersion } from './postgres-programs.ts'
import { servant } from './servant.ts'

const user = 'gantry'
/** Nothing of the environment that a user has set for a server of their own. */
const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
const signalOf: Record<RestartMode, NodeJS.Signals> = { fast: 'SIGINT', immediate: 'SIGQUIT' }

/** The address is a URL: postgres://user:password@127.0.0.1:port/postgres, for a superuser. */
export const postgres: EngineDefinition<string> = {
  name: 'postgres',
  version: postgresVersion,
  endSignals: ['SIGINT', 'SIGQUIT', 'SIGKILL'],

  async probe() {
    const found = postgresPackage()
    if ('why' in found) return found.why
    if (servant() === undefined || enterableByAll(rigFolder())) return undefined
    return `it does not run as root, and no other account can enter ${rigFolder()}; set GANTRY_ENGINES_DIR to another folder`
  },

  install: installPostgres,

  async start(site, call) {
    const password = randomBytes(24).toString('base64url')
    await initialise(site, password, call)
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort()
      try {
        const server = await startServer(site, port, call)
        return { ...server, address: `postgres://${user}:${password}@127.0.0.1:${port}/postgres` }
      } catch (error) {
        // Somebody else may have taken the port since it was found free.
        if (!isFault(error, 'unavailable') || attempt === 3) throw error
      }
    }
  },
}

async function initialise(site: Site, password: string, call: Call): Promise<void> {
  const passwordFile = join(site.folder, 'password')
  const as = servant()
  await mkdir(dataOf(site), { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (as) for (const path of [dataOf(site), passwordFile]) await chown(path, as.uid, as.gid)
  const args = [
    `--pgdata=${dataOf(site)}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--no-locale',
    '--encoding=UTF8',
    // Only the files made here are not flushed: the server itself runs with fsync.
    '--no-sync',
  ]
  const child = site.spawn(join(site.programs, 'bin', 'initdb'), args, { env, output: logOf(site), as })
  const end = await orAbort(childEnd(child), call)
  await rm(passwordFile)
  if (child.exitCode !== 0) throw await refused(site, `initdb ${end}`)
}

async function startServer(site: Site, port: number, call: Call): Promise<Omit<Running<string>, 'address'>> {
  let stopping = false
  let tellEnded: (how: string) => void = () => undefined
  const ended = new Promise<string>((resolve) => {
    tellEnded = resolve
  })
  let server = await launch(call)
  return {
    ended,
    async restart(mode, call) {
      stopping = true
      server.child.kill(signalOf[mode])
      await orAbort(server.end, call)
      stopping = false
      server = await launch(call)
    },
    async stop(call) {
      stopping = true
      for (const signal of postgres.endSignals) {
        server.child.kill(signal)
        const patience = AbortSignal.any([call.signal, AbortSignal.timeout(8_000)])
        if (await orAbort(server.end, { signal: patience }).catch(() => undefined)) return
        call.signal.throwIfAborted()
      }
    },
  }

  async function launch(call: Call) {
    const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: 200 }
    const args = [
      '-D',
      dataOf(site),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]
    const program = join(site.programs, 'bin', 'postgres')
    const child = site.spawn(program, args, { env, output: logOf(site), as: servant() })
    const end = childEnd(child).catch((error: unknown) => `could not be run: ${String(error)}`)
    let gone: string | undefined
    void end.then((how) => {
      gone = how
      if (!stopping) tellEnded(how)
    })
    while (!(await isServing(site, child.pid))) {
      if (gone) throw await refused(site, `the server ${gone}`)
      await sleep(systemClock, 20, call)
    }
    return { child, end }
  }
}

/** The server says so itself, in the file that its own control program goes by: its pid first, its state in line 8. */
async function isServing(site: Site, pid: number | undefined): Promise<boolean> {
  const lines = await readFile(join(dataOf(site), 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

async function refused(site: Site, what: string): Promise<Fault> {
  const log = await readFile(logOf(site), 'utf8')
  return new Fault('engine_refused', `PostgreSQL did not start: ${what}; see ${logOf(site)}`, {
    detail: log.slice(-4_000),
  })
}

function dataOf(site: Site): string {
  return join(site.folder, 'data')
}

function logOf(site: Site): string {
  return join(site.folder, 'postgres.log')
}
