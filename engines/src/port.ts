/** A port on loopback that stays free while an engine restarts on it. */
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { Fault } from '@gantry/core'

const lowest = 15_000
/** Where the system begins to take ports for outgoing connections, if it does not say. */
const usualFirstOutgoing = 32_768

/** Below the range that outgoing connections are given ports from: one of those could take it in the middle of a restart. */
export async function freePort(): Promise<number> {
  const below = await firstOutgoing()
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(lowest, below)
    if (await isFree(port)) return port
  }
  throw new Fault('engine_unreachable', `Found no free port on loopback between ${lowest} and ${below}`)
}

async function firstOutgoing(): Promise<number> {
  if (process.platform !== 'linux') return usualFirstOutgoing
  const first = Number((await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')).split(/\s+/)[0])
  return first > lowest + 1_000 ? first : usualFirstOutgoing
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
