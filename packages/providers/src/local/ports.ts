/** Free ports of this machine. */
import { createServer } from 'node:net'
import { type Call, Fault } from '@gantry/core'
import { isErrno } from './errno.ts'

export type PortRange = { readonly from: number; readonly to: number }

/** Below where Linux takes ports for outgoing connections from, so that none of those can be in the way. */
export const usualPorts: PortRange = { from: 20_000, to: 32_767 }

/** So many free ones, none of them in `taken`. Begins anywhere, so that two who look at once seldom meet. */
export async function freePorts(
  count: number,
  range: PortRange,
  taken: ReadonlySet<number>,
  random: () => number,
  { signal }: Call,
): Promise<number[]> {
  const size = range.to - range.from + 1
  const start = Math.floor(random() * size)
  const found: number[] = []
  for (let step = 0; step < size && found.length < count; ) {
    signal.throwIfAborted()
    const next: number[] = []
    for (; step < size && next.length < count - found.length; step += 1) {
      const port = range.from + ((start + step) % size)
      if (!taken.has(port)) next.push(port)
    }
    const free = await Promise.all(next.map((port) => isFree(port)))
    found.push(...next.filter((_, at) => free[at]))
  }
  if (found.length === count) return found
  const message = `There are no free ports from ${range.from} to ${range.to} any more; stop something that holds some`
  throw new Fault('engine_refused', message)
}

/** Whether a process could listen there, on this address and on all of them. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await canListen(port, host)) && (await canListen(port, undefined))
}

/** Left out: on all addresses. */
export function canListen(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => {
      // What we may not open, a process of ours may not either, but not because somebody has it.
      if (isErrno(error, 'EADDRINUSE')) resolve(false)
      else if (isErrno(error, 'EACCES', 'EADDRNOTAVAIL')) resolve(true)
      else reject(error)
    })
    server.listen({ port, ...(host === undefined ? {} : { host }), exclusive: true }, () =>
      server.close(() => resolve(true)),
    )
  })
}
