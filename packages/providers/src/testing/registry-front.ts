/** Stands before the rig's registry: asks for a login, and fails in ways that a registry in the wild does. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type RegistryTrouble =
  /** Answers everything so. */
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }
  /** Blobs break off after so many bytes. */
  | { readonly cutAfter: number }
  /** Blobs stop there and go on when the trouble is over. */
  | { readonly holdAfter: number }
  /** Takes every question, and never answers. */
  | 'silent'

export interface RegistryFront {
  /** What names of images begin with. */
  readonly host: string
  /** Method and path of everything that was asked. */
  readonly asked: readonly string[]
  /** From now on; nothing: it does as it should, also for those who were held up. */
  trouble(what?: RegistryTrouble): void
  close(): Promise<void>
}

/** Small blobs, those with the settings of an image, are not layers. */
const smallestLayer = 64 * 1024

export async function registryFront(
  registry: string,
  login?: { readonly username: string; readonly password: string },
): Promise<RegistryFront> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  let trouble: RegistryTrouble | undefined
  let goOn: (() => void)[] = []
  const wanted = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`

  const server = createServer((incoming, answer) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    if (trouble === 'silent') return
    if (trouble && 'status' in trouble) {
      answer.writeHead(trouble.status, { 'content-type': 'application/json', ...trouble.headers }).end(trouble.body)
    } else if (wanted !== undefined && incoming.headers.authorization !== wanted) {
      const errors = [{ code: 'UNAUTHORIZED', message: 'authentication required' }]
      const headers = { 'content-type': 'application/json', 'www-authenticate': 'Basic realm="test"' }
      answer.writeHead(401, headers).end(JSON.stringify({ errors }))
    } else forward(incoming, answer)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  function forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const [host, registryPort] = registry.split(':')
    const { authorization: _, ...headers } = incoming.headers
    const { method, url: path } = incoming
    const outgoing = request({ host, port: registryPort, method, path, headers }, (message) => {
      answer.writeHead(message.statusCode ?? 502, message.headers)
      const isLayer = path?.includes('/blobs/sha256:') && Number(message.headers['content-length']) > smallestLayer
      if (isLayer && method === 'GET') void layer(message, answer)
      else message.pipe(answer)
    })
    outgoing.once('error', () => answer.destroy())
    incoming.pipe(outgoing)
  }

  async function layer(message: IncomingMessage, answer: ServerResponse): Promise<void> {
    let sent = 0
    try {
      for await (const chunk of message as AsyncIterable<Buffer>) {
        if (typeof trouble === 'object' && 'cutAfter' in trouble && sent + chunk.length > trouble.cutAfter) {
          return void answer.destroy()
        }
        if (typeof trouble === 'object' && 'holdAfter' in trouble && sent + chunk.length > trouble.holdAfter) {
          await new Promise<void>((resolve) => goOn.push(resolve))
        }
        sent += chunk.length
        answer.write(chunk)
      }
      answer.end()
    } catch {
      answer.destroy()
    }
  }

  function heal(): void {
    for (const each of goOn) each()
    goOn = []
  }

  return {
    host: `127.0.0.1:${port}`,
    asked,
    trouble(what) {
      trouble = what
      if (what === undefined) heal()
    },
    async close() {
      heal()
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())))
    },
  }
}
