/** Everything that the benches of the edge run on: a backend, both proxies before it, and who asks. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installCaddy } from './caddy.ts'
import type { Driven, Order } from './driver.ts'
import { benchProgram, cores, type Pinned, startPinned } from './pinned.ts'
import { host, startCaddy, startOurs } from './proxies.ts'

export type Figures = Exclude<Driven, { error: string }>
export type Side = 'ours' | 'caddy' | 'direct'

export type Stage = {
  /** Why there is no Caddy, where there is none. */
  readonly missing?: string
  drive(side: Side, order: Pick<Order, 'connections' | 'count' | 'pace'>): Promise<Figures>
  close(): Promise<void>
}

export async function openStage(call: { readonly signal: AbortSignal }): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-edge-'))
  const parts: Pinned[] = []
  const kept = <T extends Pinned>(part: T): T => {
    parts.push(part)
    return part
  }
  const close = async (): Promise<void> => {
    for (const part of parts.reverse()) await part.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const node = (name: string) => startPinned(cores.rest, [process.execPath, benchProgram(name)], process.env, call)
    const backend = kept(await node('backend'))
    const { port: direct } = await nextMessage<{ port: number }>(backend.child)
    const driver = kept(await node('driver'))
    const ours = kept(await startOurs(folder, direct, call))
    const found = await installCaddy(call)
    const caddy =
      'program' in found ? kept(await startCaddy(found.program, folder, await freePort(), direct, call)) : undefined
    const ports = { ours: ours.port, direct, caddy: caddy?.port ?? 0 }
    return {
      ...('missing' in found && { missing: found.missing }),
      async drive(side, order) {
        const answer = nextMessage<Driven>(driver.child)
        driver.child.send({ ...order, port: ports[side], host } satisfies Order)
        const driven = await answer
        if ('error' in driven) throw new Error(`${side}: ${driven.error}`)
        return driven
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** What it says next; an error if it ends instead. */
async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController()
  const { signal } = over
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('A process of the bench has ended before it had answered')
  })
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [T]
    return message
  } finally {
    // The other one is given up by this, and says so.
    ended.catch(() => undefined)
    over.abort()
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
