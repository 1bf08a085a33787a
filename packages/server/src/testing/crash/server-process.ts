/** The server as a process of its own, from what was built, to be killed. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export type ServerProcess = { kill(): Promise<void> }

const program = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))

/** Resolves when it listens. */
export async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  if (!existsSync(program)) throw new Error(`${program} is missing: build first (npm run build)`)
  // Reading extra certificates costs more than all the rest of the start.
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...inherited } = process.env
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...inherited, ...env },
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => resolve())
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  const listening = (async () => {
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('listens')) return
    throw new Error(`the server ended before it listened: ${said}`)
  })()
  await listening
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** One that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
