/**
 * The way from the cluster to registries on this machine's loopback, which in its own network is another one. Its
 * containerd asks here for every image, and says whose it is; nothing leaves the machine.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { Fault } from '@gantry/core'

export function openRegistries(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    // A start that fails after this leaves nothing that would keep the process.
    const server = createServer(pass).unref()
    server.once('error', (cause) =>
      reject(new Fault('engine_refused', `Cannot listen at ${host}:${port}: ${cause.message}`, { cause })),
    )
    server.listen(port, host, () => resolve(server))
  })
}

function pass(asked: IncomingMessage, answer: ServerResponse): void {
  const target = registryOf(asked.url ?? '')
  // What a registry says that has no such image; others than those here cannot be asked.
  if (target === undefined) return void answer.writeHead(404).end()
  const onward = request(target, { method: asked.method ?? 'GET', headers: { ...asked.headers, host: target.host } })
  onward.once('error', (error) => {
    if (answer.headersSent) answer.destroy(error)
    else answer.writeHead(502).end(error.message)
  })
  onward.once('response', (given) => {
    answer.writeHead(given.statusCode ?? 502, given.headers)
    given.pipe(answer)
    given.once('error', (error) => answer.destroy(error))
  })
  answer.once('close', () => onward.destroy())
  asked.pipe(onward)
}

/** Where `/v2/…?ns=127.0.0.1:5000` is really meant to go; undefined if not to this machine. */
export function registryOf(url: string): URL | undefined {
  const { pathname, searchParams } = new URL(url, 'http://rig')
  const registry = searchParams.get('ns') ?? ''
  if (!/^(127\.0\.0\.1|localhost):\d+$/.test(registry)) return undefined
  searchParams.delete('ns')
  const rest = searchParams.size > 0 ? `?${searchParams}` : ''
  return new URL(`http://${registry}${pathname}${rest}`)
}
