/** Stands before the rig's registry, and is as some in the wild are: gives out tokens, sends on, or knows no HEAD. */
import { type IncomingMessage, createServer as plainServer, request, type Server, type ServerResponse } from 'node:http'
import { createServer as secureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export type Oddness = {
  /** Wants a token, which it gives to who has this account; `anybody`: to everybody. */
  readonly tokens?: 'anybody' | { readonly username: string; readonly password: string }
  /** Its token is one that nobody takes. */
  readonly badToken?: boolean
  /** What it says to a HEAD, if not the same as to a GET. */
  readonly head?: 'refused' | 'without digest'
  /** What it says that a manifest is, if it is none. */
  readonly type?: string
  /** Sends everybody there. */
  readonly sendsTo?: string
  readonly tls?: { readonly key: string; readonly cert: string }
}

export interface OddRegistry {
  readonly port: number
  /** What names of images begin with. */
  readonly host: string
  /** All that was asked: method, path, and the kind of what was said of who asks. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

export async function oddRegistry(registry: string, oddness: Oddness = {}): Promise<OddRegistry> {
  const { tokens, badToken, head, type, sendsTo, tls } = oddness
  const asked: string[] = []
  const token = 'a-token-of-the-test'
  const account =
    typeof tokens === 'object' && `Basic ${Buffer.from(`${tokens.username}:${tokens.password}`).toString('base64')}`

  function serve(incoming: IncomingMessage, answer: ServerResponse): void {
    const { method, url = '', headers } = incoming
    const { authorization } = headers
    asked.push(`${method} ${url}${authorization === undefined ? '' : ` as ${authorization.split(' ', 1)[0]}`}`)
    if (url.startsWith('/token')) {
      const isKnown = account === false || authorization === account
      const body = { token: badToken ? 'another' : token }
      return void answer.writeHead(isKnown ? 200 : 401).end(JSON.stringify(body))
    }
    if (sendsTo !== undefined) return void answer.writeHead(307, { location: `${sendsTo}${url}` }).end()
    if (tokens !== undefined && authorization !== `Bearer ${token}`) {
      const realm = `${tls ? 'https' : 'http'}://${headers.host}/token`
      return void answer.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="test"` }).end()
    }
    if (method === 'HEAD' && head === 'refused') return void answer.writeHead(405).end()
    forward(incoming, answer)
  }

  function forward({ method, url: path, headers }: IncomingMessage, answer: ServerResponse): void {
    const { authorization: _, ...rest } = headers
    const [host, port] = registry.split(':')
    const onward = request({ host, port, method, path, headers: rest }, (message) => {
      const { 'docker-content-digest': digest, ...given } = message.headers
      const kept = head === 'without digest' || digest === undefined ? {} : { 'docker-content-digest': digest }
      answer.writeHead(message.statusCode ?? 502, { ...given, ...kept, ...(type && { 'content-type': type }) })
      message.pipe(answer)
    })
    onward.once('error', () => answer.destroy())
    onward.end()
  }

  const server: Server = tls ? secureServer(tls, serve) : plainServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    host: `127.0.0.1:${port}`,
    asked,
    close() {
      server.closeAllConnections()
      return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())))
    },
  }
}
