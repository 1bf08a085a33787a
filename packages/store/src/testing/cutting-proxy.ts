/** Stands between a client and its database, and cuts the line at the worst moment. */
import { connect, createServer, type Socket } from 'node:net'

/** `before`: the server never gets the COMMIT; `after`: it does, and the client never learns. */
export type Cut = 'before' | 'after'

export type CuttingProxy = {
  /** The same database, by way of the proxy. */
  readonly url: string
  /** Cuts the connection on which the next COMMIT is sent. */
  cutNextCommit(when: Cut): void
  readonly cuts: () => number
  close(): Promise<void>
}

export async function cuttingProxy(database: string): Promise<CuttingProxy> {
  const target = new URL(database)
  const sockets = new Set<Socket>()
  let next: Cut | undefined
  let cuts = 0

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    let isMute = false
    upstream.on('data', (data) => {
      if (isMute) end()
      else client.write(data)
    })
    client.on('data', (data) => {
      if (next !== undefined && data.includes('COMMIT')) {
        cuts += 1
        if (next === 'before') end()
        else isMute = true
        next = undefined
      }
      if (!upstream.destroyed) upstream.write(data)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(database)
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    cutNextCommit: (when) => {
      next = when
    },
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
