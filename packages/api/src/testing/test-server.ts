/**
 * A small real HTTP server made from the endpoint descriptions, which holds the client to them: what is not described is
 * refused, and what a test answers with must be what the endpoint promises.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Fault, publicFault } from '@gantry/core'
import type { Endpoint } from '../endpoint.ts'
import { allEndpoints } from '../endpoints/table.ts'
import { problemType, requestIdHeader } from '../schemas/problem-headers.ts'

export type Received = {
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

/** A value for the usual status; a fault; or anything at all, written by hand. */
export type Answering = (
  received: Received,
  response: ServerResponse,
) => { status?: number; value: unknown } | Fault | 'by hand'

export type TestServer = {
  readonly address: string
  readonly received: Received[]
  close(): Promise<void>
}

export async function startTestServer(answers: Readonly<Record<string, Answering>>): Promise<TestServer> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(599, { 'content-type': 'text/plain' })
      response.end(String(error))
    })
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await read(request)
    received.push(asked)
    const answer = answers[asked.endpoint.operation]?.(asked, response)
    if (answer === 'by hand') return
    if (answer === undefined) throw new Error(`no answer for ${asked.endpoint.operation}`)
    response.setHeader(requestIdHeader, `req-${received.length}`)
    if (answer instanceof Fault) {
      const problem = publicFault(answer)
      response.writeHead(problem.status, { 'content-type': problemType })
      response.end(JSON.stringify({ ...problem, requestId: `req-${received.length}` }))
      return
    }
    const { reply } = asked.endpoint
    const { status = reply.statuses[0] ?? 0, value } = answer
    if (!reply.statuses.some((one) => one === status)) throw new Error(`${status} is not promised`)
    reply.schema.parse(value)
    response.writeHead(status, { 'content-type': `${reply.type}; charset=utf-8` })
    response.end(reply.type === 'text/plain' ? String(value) : JSON.stringify(value))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Throws for whatever the description does not allow. */
async function read(request: IncomingMessage): Promise<Received> {
  const url = new URL(request.url ?? '/', 'http://test')
  for (const endpoint of allEndpoints) {
    const parts = request.method === endpoint.method ? match(endpoint.path, url.pathname) : undefined
    if (!parts) continue
    const query = Object.fromEntries(url.searchParams)
    endpoint.query.parse(query)
    const { headers } = request
    const { preconditions = [], body: described } = endpoint
    if (headers['if-match'] !== undefined && !preconditions.includes('if_match')) throw new Error('no If-Match here')
    if (headers['if-none-match'] && !preconditions.includes('if_none_match')) throw new Error('no If-None-Match here')
    const text = await bodyOf(request)
    if (!described && text !== '') throw new Error('no body here')
    if (described && headers['content-type'] !== described.type) throw new Error(`not ${described.type}`)
    const body: unknown = described ? JSON.parse(text) : undefined
    described?.schema.parse(body)
    return { endpoint, params: endpoint.params.parse(parts) as Record<string, string>, query, headers, body }
  }
  throw new Error(`no endpoint for ${request.method} ${request.url}`)
}

function match(path: string, asked: string): Record<string, string> | undefined {
  const wanted = path.split('/')
  const found = asked.split('/')
  if (wanted.length !== found.length) return undefined
  const parts: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name !== undefined) parts[name] = decodeURIComponent(found[at] ?? '')
    else if (part !== found[at]) return undefined
  }
  return parts
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString('utf8')
}
