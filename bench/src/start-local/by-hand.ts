/** The peer: three processes with a free port each, asked for their health until all have answered. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from './free-ports.ts'
import { argv, environmentOf, healthPath, services } from './three.ts'

type Call = { readonly signal: AbortSignal }

const everyMs = 5

/** Milliseconds. */
export async function startByHand(readyMs: number, call: Call): Promise<number> {
  const children: ChildProcess[] = []
  const from = performance.now()
  try {
    const ports = await freePorts(services.length)
    for (const port of ports) children.push(start(port, readyMs))
    await Promise.all(ports.map((port) => healthy(port, call)))
    return performance.now() - from
  } finally {
    await Promise.all(children.map(end))
  }
}

function start(port: number, readyMs: number): ChildProcess {
  const [program, ...args] = argv
  return spawn(program, args, {
    env: { ...environmentOf(readyMs), PORT: String(port) },
    stdio: 'ignore',
    detached: true,
  })
}

async function healthy(port: number, { signal }: Call): Promise<void> {
  while (!(await isHealthy(port))) await sleep(everyMs, undefined, { signal })
}

function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path: healthPath, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    // Nobody listens yet.
    request.once('error', () => resolve(false))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
