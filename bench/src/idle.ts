/** What the server program holds in memory when nothing happens. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sleep, systemClock } from '@gantry/core'
import { writeOf } from './api/requests.ts'
import { drive } from './api-load.ts'
import type { Bench, BenchContext } from './bench.ts'
import { limited } from './rounds.ts'
import { tenant } from './store-load.ts'

const workloads = 1000
const idleMs = 60_000
const withinMegabytes = 120

export const idle: Bench = {
  name: 'idle',
  about:
    `Resident memory of the server program, as a process of its own, ${idleMs / 1000} s after the last of ${workloads} ` +
    'workloads was written to it over its API: what it took to write them is in the figure too.',
  unit: 'MB',
  better: 'lower',
  async run(context) {
    const servers: IdleServer[] = []
    try {
      for (let round = 0; round < context.rounds; round += 1) servers.push(await filledServer(context))
      context.say(`waiting ${idleMs / 1000} s beside ${context.rounds} idle servers`)
      await sleep(systemClock, idleMs, context)
      const figures = await Promise.all(servers.map((server) => server.megabytes()))
      return [limited(`${workloads} workloads stored`, 'lower', figures, withinMegabytes)]
    } finally {
      await Promise.all(servers.map((server) => server.end()))
    }
  },
}

type IdleServer = { megabytes(): Promise<number>; end(): Promise<void> }

async function filledServer(context: BenchContext): Promise<IdleServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-idle-'))
  const program = fileURLToPath(new URL('main.js', import.meta.resolve('@gantry/server')))
  const child = spawn(process.execPath, [program, '--bare', '--listen', '127.0.0.1:0', '--data', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, GANTRY_CONTEXTS: join(folder, 'contexts.json') },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  const end = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const address = await addressFrom(child.stdout)
    if (address === undefined) throw new Error(`the server ended before it listened: ${said}`)
    const token = (await readFile(join(folder, 'admin.token'), 'utf8')).trim()
    const headers = { authorization: `Bearer ${token}` }
    const made = await fetch(`${address}/v1/tenants/${tenant}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'gantry/v1', kind: 'Tenant', metadata: { name: tenant }, spec: {} }),
      signal: context.signal,
    })
    if (!made.ok) throw new Error(`the tenant was answered with ${made.status}`)
    let at = 0
    await drive(address, token, workloads, () => {
      at += 1
      return writeOf(at)
    })
    return {
      async megabytes() {
        const text = await (await fetch(`${address}/metrics`, { headers })).text()
        const bytes = /^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]
        if (bytes === undefined) throw new Error('the server does not say how much memory it holds')
        return Number(bytes) / 1e6
      },
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function addressFrom(output: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input: output })) {
    const address = /listens on (\S+)/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  return undefined
}
