/** Stands before the API server of a cluster, over plain HTTP: passes everything on, and fails in ways that one in the wild does. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent, request } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { ClusterConfig } from '../kubernetes/config/cluster-config.ts'

/** What is answered in the server's place; `undefined`: the server shall. */
export type FrontRule = (asked: {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
}) => FrontAnswer | undefined

export type FrontAnswer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A Status of Kubernetes, or what else a server in between may say. */
  readonly body?: object | string
}

export type ApiFront = {
  /** As the cluster is reached through it, by token. */
  readonly config: ClusterConfig
  /** Method and path of everything that was asked, without what is behind the question mark. */
  readonly asked: readonly string[]
  /** Watches that are open now. */
  readonly watches: number
  /** Everything that is open is gone, and whoever comes is sent away. */
  cut(): void
  /** Takes every question, and never answers; what is open falls silent. */
  hang(): void
  heal(): void
  /** Ends watches in the middle, and nothing else; they may be asked for anew. */
  cutWatches(): void
  /** From now on, before anything is passed on; nothing: no rule. */
  rule(rule?: FrontRule): void
  close(): Promise<void>
}

type Target = { readonly server: string; readonly ca: string; readonly token: string }

export async function apiFront({ server, ca, token }: Target): Promise<ApiFront> {
  const agent = new Agent({ keepAlive: true, ca })
  const asked: string[] = []
  const near = new Set<Socket>()
  const watching = new Set<ServerResponse>()
  let state: 'open' | 'cut' | 'hanging' = 'open'
  let own: FrontRule | undefined

  function onward(incoming: IncomingMessage) {
    const { method, url: path, headers } = incoming
    const { hostname, port, host } = new URL(server)
    return request({ agent, hostname, port, method, path, headers: { ...headers, host } })
  }

  const listener = createServer((incoming, answer) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', server)
    const { method = 'GET' } = incoming
    asked.push(`${method} ${pathname}`)
    if (state === 'hanging') return
    const given = own?.({ method, path: pathname, query: searchParams })
    if (given) return void say(answer, given)
    if (searchParams.has('watch')) {
      watching.add(answer)
      answer.once('close', () => watching.delete(answer))
    }
    const outgoing = onward(incoming)
    // Whoever leaves takes the other side along.
    answer.once('close', () => outgoing.destroy())
    outgoing.once('error', () => answer.destroy())
    outgoing.once('response', (message) => {
      if (state === 'hanging') return
      answer.writeHead(message.statusCode ?? 502, message.headers)
      // Whoever watches waits for it, also while nothing happens.
      answer.flushHeaders()
      message.on('data', (chunk: Buffer) => state !== 'hanging' && answer.write(chunk))
      message.once('end', () => state !== 'hanging' && answer.end())
      message.once('error', () => answer.destroy())
    })
    incoming.pipe(outgoing)
  })

  listener.on('upgrade', (incoming, socket: Socket, head) => {
    asked.push(`${incoming.method} ${new URL(incoming.url ?? '/', server).pathname}`)
    if (state === 'hanging') return
    const outgoing = onward(incoming)
    socket.once('close', () => outgoing.destroy())
    socket.on('error', () => outgoing.destroy())
    outgoing.once('error', () => socket.destroy())
    outgoing.once('upgrade', (message, far, first) => {
      socket.write(headOf(message))
      socket.write(first)
      far.write(head)
      far.on('data', (chunk: Buffer) => state !== 'hanging' && socket.write(chunk))
      far.once('close', () => state !== 'hanging' && socket.destroy())
      far.on('error', () => socket.destroy())
      socket.pipe(far)
    })
    outgoing.once('response', (message) => {
      socket.write(headOf(message))
      message.pipe(socket)
    })
    outgoing.end()
  })

  listener.on('connection', (socket) => {
    if (state === 'cut') return void socket.destroy()
    near.add(socket)
    socket.once('close', () => near.delete(socket))
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const drop = (): void => {
    for (const socket of near) socket.destroy()
  }

  return {
    config: {
      server: `http://127.0.0.1:${port}`,
      user: { name: 'admin-token', token: { text: token } },
      origin: 'through a front of the test',
    },
    asked,
    get watches() {
      return watching.size
    },
    cut() {
      state = 'cut'
      drop()
    },
    hang() {
      state = 'hanging'
    },
    heal() {
      const was = state
      state = 'open'
      // What was lost on the way cannot be made up for.
      if (was === 'hanging') drop()
    },
    cutWatches() {
      for (const answer of watching) answer.destroy()
    },
    rule(rule) {
      own = rule
    },
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve))
      drop()
      agent.destroy()
      await closed
    },
  }
}

function say(answer: ServerResponse, { status, headers = {}, body = '' }: FrontAnswer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/plain' : 'application/json'
  answer.writeHead(status, { 'content-type': type, ...headers }).end(text)
}

function headOf({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((text, at) => (at % 2 === 0 ? [`${text}: ${rawHeaders[at + 1]}`] : []))
  return [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n')
}
