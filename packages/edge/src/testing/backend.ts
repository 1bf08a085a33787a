/** A real server behind the edge, which tells what reached it. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EdgeBackend } from '../table.ts'

export type TestBackend = {
  readonly server: Server
  readonly port: number
  readonly seen: IncomingMessage[]
  /** As a table names it. */
  readonly told: EdgeBackend
  close(): Promise<void>
}

export async function backend(id: string, listener?: RequestListener, port = 0): Promise<TestBackend> {
  const seen: IncomingMessage[] = []
  const answer: RequestListener = listener ?? ((_, response) => void response.end(id))
  const server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const at = (server.address() as AddressInfo).port
  return {
    server,
    port: at,
    seen,
    told: { id, dial: { host: '127.0.0.1', port: at }, leaving: false },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
