/** For the tests of the rig itself: a rig in a folder of its own, with processes that use it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sleep, systemClock } from '@gantry/core'
import { openTemporary } from '../folder.ts'
import { keeperFiles } from '../keeper/protocol.ts'
import { lockHolder } from '../lock.ts'
import { postgresVersion } from '../postgres-programs.ts'
import { identify, isAlive, type ProcessIdentity } from '../process-identity.ts'

const built = (path: string): string => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url))

export type Said = { readonly state: string; readonly address: string; readonly why: string }
export type User = {
  readonly said: Said
  readonly identity: ProcessIdentity
  readonly kill: () => Promise<void>
  readonly leave: () => Promise<void>
}

export class RigBench {
  readonly #root = mkdtempSync(join(openTemporary(), 'gantry-rig-'))
  readonly #children = new Set<ChildProcess>()
  /** Empty at the start: whatever appears in it was none of the rig's business. */
  readonly home = join(this.#root, 'home')
  readonly state = join(this.#root, 'state')
  readonly #instances = join(this.state, `postgres-${postgresVersion}`)
  readonly env: Record<string, string>

  constructor() {
    mkdirSync(this.home)
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: this.home,
      XDG_CACHE_HOME: join(this.#root, 'cache'),
      GANTRY_ENGINES_DIR: this.state,
      GANTRY_ENGINES_GRACE_MS: '300',
    }
    // The folder of a test is its owner's alone, but an engine's own account must be able to pass.
    chmodSync(this.#root, 0o711)
  }

  async use(kind: 'shared' | 'private', env: Record<string, string> = {}): Promise<User> {
    const child = this.#start(['testing/engine-user.js', kind], env, 'pipe')
    const said = JSON.parse(await firstLine(child)) as Said
    const ended = once(child, 'exit')
    const identity = identify(child.pid ?? 0)
    if (!identity) throw new Error('The user of the engine is not there any more')
    return {
      said,
      identity,
      kill: async () => {
        child.kill('SIGKILL')
        await ended
      },
      leave: async () => {
        child.stdin?.end()
        await ended
      },
    }
  }

  /** The rig's own command line. */
  async command(...args: readonly string[]): Promise<{ code: number | null; output: string }> {
    const child = this.#start(['main.js', ...args], {}, 'ignore')
    const chunks: string[] = []
    child.stdout?.on('data', (chunk) => chunks.push(String(chunk)))
    child.stderr?.on('data', (chunk) => chunks.push(String(chunk)))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output: chunks.join('') }
  }

  keeper(instance = 'shared'): ProcessIdentity | undefined {
    return lockHolder(join(this.#instances, instance, keeperFiles.lock))
  }

  /** Every process that some instance has on record and that is alive. */
  running(): ProcessIdentity[] {
    return this.instances().flatMap((instance) => {
      const record = join(this.#instances, instance, keeperFiles.processes)
      return (JSON.parse(readIfThere(record) ?? '[]') as ProcessIdentity[]).filter(isAlive)
    })
  }

  /** The files in the folder of an instance. */
  files(instance: string): string[] {
    return readdirSync(join(this.#instances, instance))
  }

  instances(): string[] {
    return readdirSync(this.#instances)
  }

  async remove(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL')
    await this.command('down')
    rmSync(this.#root, { recursive: true })
  }

  #start(args: readonly string[], env: Record<string, string>, stdin: 'pipe' | 'ignore'): ChildProcess {
    const [program, ...rest] = args
    const child = spawn(process.execPath, [built(program ?? ''), ...rest], {
      env: { ...this.env, ...env },
      stdio: [stdin, 'pipe', 'pipe'],
    })
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
    return child
  }
}

/** Waits for something that happens in other processes. */
export async function eventually(what: string, holds: () => boolean, ms = 60_000): Promise<void> {
  const until = systemClock.monotonic() + ms
  while (!holds()) {
    if (systemClock.monotonic() > until) throw new Error(`It did not come to pass in ${ms} ms: ${what}`)
    await sleep(systemClock, 25, { signal: new AbortController().signal })
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    let complaints = ''
    child.stderr?.on('data', (chunk) => {
      complaints += String(chunk)
    })
    child.stdout?.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '')
    })
    child.once('close', () => reject(new Error(`It ended before it said anything: ${complaints}`)))
  })
}
