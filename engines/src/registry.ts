/** A registry of images: Debian's docker-registry on loopback, where engines take it without certificates. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Call, Fault, isFault, orAbort, sleep, systemClock } from '@gantry/core'
import { debianPackages, noDebianPackages } from './debian-packages.ts'
import type { EngineDefinition, RestartMode, Site } from './engine.ts'
import { childEnd } from './keeper/children.ts'
import { freePort } from './port.ts'

export type RegistryAddress = {
  /** What names of images begin with: `127.0.0.1:port`. */
  readonly host: string
}

const signalOf: Record<RestartMode, NodeJS.Signals> = { fast: 'SIGTERM', immediate: 'SIGKILL' }

export const registry: EngineDefinition<RegistryAddress> = {
  name: 'registry',
  version: 'debian',
  endSignals: ['SIGTERM', 'SIGKILL'],
  probe: async () => (process.platform === 'linux' ? noDebianPackages() : `it is not made for ${process.platform}`),
  install: (call) => debianPackages({ name: 'registry', packages: ['docker-registry'] }, call),

  async start(site, call) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await startOn(site, await freePort(), call)
      } catch (error) {
        // Somebody else may have taken the port since it was found free.
        if (!isFault(error, 'unavailable') || attempt === 3) throw error
      }
    }
  },
}

async function startOn(site: Site, port: number, call: Call) {
  const host = `127.0.0.1:${port}`
  const [configuration, storage] = [join(site.folder, 'config.json'), join(site.folder, 'storage')]
  await mkdir(storage, { recursive: true })
  await writeFile(configuration, configurationOf(host, storage))
  let tellEnded: (how: string) => void = () => undefined
  const ended = new Promise<string>((resolve) => {
    tellEnded = resolve
  })
  let stopping = false
  let server = await launch(call)
  return {
    address: { host },
    ended,
    async restart(mode: RestartMode, call: Call) {
      await end(signalOf[mode], call)
      stopping = false
      server = await launch(call)
    },
    stop: (call: Call) => end('SIGKILL', call),
  }

  async function end(signal: NodeJS.Signals, call: Call): Promise<void> {
    stopping = true
    server.child.kill(signal)
    await orAbort(server.end, call)
  }

  async function launch(call: Call) {
    const output = join(site.folder, 'registry.log')
    const program = join(site.programs, 'usr', 'bin', 'docker-registry')
    const child = site.spawn(program, ['serve', configuration], { env: { LC_ALL: 'C' }, output })
    const end = childEnd(child).catch((error: unknown) => `could not be run: ${String(error)}`)
    let gone: string | undefined
    void end.then((how) => {
      gone = how
      if (!stopping) tellEnded(how)
    })
    while (!(await serves(host, call))) {
      if (gone) {
        const detail = (await readFile(output, 'utf8')).slice(-4_000)
        throw new Fault('engine_refused', `The registry ${gone}; see ${output}`, { detail })
      }
      await sleep(systemClock, 20, call)
    }
    return { child, end }
  }
}

/** The program reads YAML, which JSON is a part of. */
function configurationOf(addr: string, rootdirectory: string): string {
  const storage = { filesystem: { rootdirectory }, delete: { enabled: true } }
  return JSON.stringify({ version: 0.1, log: { level: 'warn' }, storage, http: { addr } })
}

async function serves(host: string, { signal }: Call): Promise<boolean> {
  try {
    return (await fetch(`http://${host}/v2/`, { signal })).ok
  } catch {
    signal.throwIfAborted()
    return false
  }
}
