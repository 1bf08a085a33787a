/** A unix socket that leads to another one until it is frozen: it still accepts, and nothing is answered any more. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type FrozenLine = { readonly path: string; freeze(): void; thaw(): void; dispose(): Promise<void> }

export async function frozenLine(target: string): Promise<FrozenLine> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-frozen-'))
  const path = join(folder, 'engine.sock')
  const near = new Set<Socket>()
  let frozen = false
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    near.add(socket)
    const far = connect({ path: target, allowHalfOpen: true })
    socket.pipe(far)
    far.on('data', (chunk) => {
      if (!frozen) socket.write(chunk)
    })
    far.on('end', () => (frozen ? undefined : socket.end()))
    // An error is the end of this connection; who speaks sees it at its own end.
    socket.on('error', () => far.destroy())
    far.on('error', () => socket.destroy())
    socket.on('close', () => near.delete(socket) && far.destroy())
  }).listen(path)
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    path,
    freeze: () => {
      frozen = true
    },
    thaw: () => {
      frozen = false
      // What was lost on the way cannot be made up for.
      for (const socket of near) socket.destroy()
    },
    async dispose() {
      for (const socket of near) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
