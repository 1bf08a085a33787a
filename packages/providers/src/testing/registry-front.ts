/** Stands before the rig's registry: asks for a login, and fails in ways that a registry in the wild does. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type RegistryTrouble =
  /** Answers everything so. */
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }
  /** Layers break off after so many bytes. */
  | { readonly cutAfter: number }
  /** Layers stop there and go on when the trouble is over. */
  | { readonly holdAfter: number }
  /** Layers come drop by drop from there on, until the trouble is over. */
  | { readonly dripAfter: number }
  /** Takes every question, and never answers. */
  | 'silent'

export interface RegistryFront {
  /** What names of images begin with. */
  readonly host: string
  /** Method and path of everything that was asked. */
  readonly asked: readonly string[]
  /** How many layers are being fetched now. */
  readonly underWay: number
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
  let layers = 0
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
    const gone = new Promise<void>((resolve) => answer.once('close', resolve))
    layers += 1
    void gone.then(() => {
      layers -= 1
    })
    let sent = 0
    try {
      for await (const chunk of message as AsyncIterable<Buffer>) {
        for (const piece of piecesOf(chunk)) {
          const met = limitOf(trouble)
          const isMet = met !== undefined && sent + piece.length > met.bytes
          if (isMet && met.how === 'cut') return void answer.destroy()
          if (isMet) await Promise.race([gone, met.how === 'hold' ? healed() : drop()])
          sent += piece.length
          answer.write(piece)
        }
      }
      answer.end()
    } catch {
      answer.destroy()
    }
  }

  const healed = (): Promise<void> => new Promise((resolve) => goOn.push(resolve))

  function heal(): void {
    for (const each of goOn) each()
    goOn = []
  }

  return {
    host: `127.0.0.1:${port}`,
    asked,
    get underWay() {
      return layers
    },
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

const drop = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

function piecesOf(chunk: Buffer): Buffer[] {
  const size = 1024
  return Array.from({ length: Math.ceil(chunk.length / size) }, (_, at) => chunk.subarray(at * size, (at + 1) * size))
}

function limitOf(trouble: RegistryTrouble | undefined) {
  if (typeof trouble !== 'object') return undefined
  if ('cutAfter' in trouble) return { bytes: trouble.cutAfter, how: 'cut' } as const
  if ('holdAfter' in trouble) return { bytes: trouble.holdAfter, how: 'hold' } as const
  return 'dripAfter' in trouble ? ({ bytes: trouble.dripAfter, how: 'drip' } as const) : undefined
}
