/** Both proxies in front of the same backend, each as a user would run it with one core. */
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@gantry/core'
import { connectEdge, controlPath, edgeMain } from '@gantry/edge'
import { cores, type Pinned, startPinned } from './pinned.ts'

export const host = 'hello.default.localhost'

export type Proxy = Pinned & { readonly port: number }

type Call = { readonly signal: AbortSignal }

const listensWithinMs = 20_000

export async function startOurs(folder: string, backend: number, call: Call): Promise<Proxy> {
  const dataDir = join(folder, 'edge')
  const argv = [process.execPath, edgeMain(), '--data', dataDir, '--listen', '127.0.0.1:0'] as const
  const pinned = await startPinned(cores.proxy, [...argv], process.env, call)
  const link = await eventually('the edge', () => connectEdge(controlPath(dataDir), systemClock, call))
  const dial = { host: '127.0.0.1', port: backend }
  const workload = { tenant: 'default', name: 'hello', uid: 'hello' }
  const slots = [{ slot: 'a', weight: 100, backends: ['hello'] }] as const
  const routes = [{ id: 'hello', host, path: '/', workload, slots }]
  await link.swap(
    { version: 1, number: 1, backends: [{ id: 'hello', dial, leaving: false }], routes, trusted: [] },
    call,
  )
  const port = await eventually('the edge', async () => {
    const { listening, trouble } = await link.state(call)
    if (!listening) throw new Error(trouble ?? 'it does not listen yet')
    return listening.port
  })
  link.close()
  return { ...pinned, port }
}

export async function startCaddy(
  program: string,
  folder: string,
  port: number,
  backend: number,
  call: Call,
): Promise<Proxy> {
  const home = join(folder, 'caddy')
  await mkdir(home, { recursive: true })
  const config = join(home, 'Caddyfile')
  const site = `http://${host}:${port} {\n  bind 127.0.0.1\n  reverse_proxy 127.0.0.1:${backend}\n}\n`
  await writeFile(config, `{\n  admin off\n  auto_https off\n}\n${site}`)
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, GOMAXPROCS: '1' }
  const pinned = await startPinned(
    cores.proxy,
    [program, 'run', '--config', config, '--adapter', 'caddyfile'],
    env,
    call,
  )
  await eventually('Caddy', () => reach(port))
  return { ...pinned, port }
}

async function eventually<T>(what: string, attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + listensWithinMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > end) throw new Error(`${what} did not start: ${String(error)}`)
      await sleep(50)
    }
  }
}

function reach(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
  })
}
