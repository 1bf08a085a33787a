/** Requests to the server within its own process, in the words of `fetch`. Nothing is listened on. */
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>

export function fetchFrom(app: FastifyInstance): FetchLike {
  return async (url, init = {}) => {
    const { pathname, search } = new URL(String(url))
    init.signal?.throwIfAborted()
    const answer = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: `${pathname}${search}`,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body !== undefined && init.body !== null && { payload: String(init.body) }),
      ...(init.signal && { signal: init.signal }),
      payloadAsStream: true,
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers.set(name, String(value))
    }
    const body = Readable.toWeb(answer.stream()) as unknown as ReadableStream
    return new Response(body, { status: answer.statusCode, headers })
  }
}
