/** A unix socket that leads to another one until it is cut: as if the engine behind it had gone away, while it goes on. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type CutSocket = {
  readonly path: string
  /** Nobody listens any more, and every connection is gone. */
  cut(): Promise<void>
  heal(): Promise<void>
  dispose(): Promise<void>
}

export async function cutSocket(target: string): Promise<CutSocket> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-line-'))
  const path = join(folder, 'engine.sock')
  const open = new Set<Socket>()
  let server: Server | undefined

  const lead = (near: Socket): void => {
    if (!server) return void near.destroy()
    const far = connect({ path: target, allowHalfOpen: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.pipe(to)
      // An error is the end of this connection; who speaks sees it at its own end.
      from.on('error', () => to.destroy())
      from.on('close', () => open.delete(from) && to.destroySoon())
    }
  }

  async function heal(): Promise<void> {
    if (server) return
    server = createServer({ allowHalfOpen: true }, lead).listen(path)
    await new Promise((resolve) => server?.once('listening', resolve))
  }

  async function cut(): Promise<void> {
    const closing = server
    server = undefined
    if (!closing) return
    const closed = new Promise((resolve) => closing.close(resolve))
    for (const socket of open) socket.destroy()
    await closed
  }

  await heal()
  return {
    path,
    cut,
    heal,
    async dispose() {
      await cut()
      rmSync(folder, { recursive: true })
    },
  }
}
