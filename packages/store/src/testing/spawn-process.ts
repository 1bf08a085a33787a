/** Starts our own programs as processes, from what was built. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export type Spawned = {
  readonly pid: number
  /** Lines of its output, from the first, until it ends. */
  readonly lines: AsyncIterableIterator<string>
  kill(): void
  /** Resolves when it is gone and its output is read. */
  readonly ended: Promise<void>
}

const dist = new URL('../../dist/testing/processes/', import.meta.url)

export function spawnProcess(name: 'writer' | 'holder', ...args: readonly string[]): Spawned {
  const program = fileURLToPath(new URL(`${name}.js`, dist))
  if (!existsSync(program)) throw new Error(`${program} is missing: build first (npm run build)`)
  // Reading extra certificates costs more than all the rest of such a short life.
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env
  const child: ChildProcessByStdio<null, Readable, null> = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]() as AsyncIterableIterator<string>
  return { pid: child.pid ?? 0, lines, kill: () => child.kill('SIGKILL'), ended }
}
