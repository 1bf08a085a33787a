import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createPlainServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { httpFetch } from './http-fetch.ts'
import { nodeFetch } from './node-fetch.ts'
import { isPlain } from './plain-fetch.ts'

const never = new AbortController().signal
const asking = { method: 'GET', headers: { accept: 'application/json' }, redirect: 'manual', signal: never } as const

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()))
})

async function listening(server: Server | ReturnType<typeof createPlainServer>, host = '127.0.0.1'): Promise<string> {
  server.listen(0, host)
  await once(server, 'listening')
  open.push(() => new Promise((resolve) => server.close(resolve)))
  return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
}

const answering = (listener: RequestListener): Promise<string> => listening(createServer(listener))

describe('one question over a connection of its own', () => {
  it('is asked and answered as over node:http', async () => {
    const server = await answering(({ url, headers: { host, authorization }, method }, response) => {
      response.writeHead(url === '/long' ? 200 : 404, { 'content-type': 'application/json', 'x-request-id': 'r1' })
      // Without a length, and so in chunks.
      response.write(JSON.stringify({ url, host, authorization, method }))
      response.end(url === '/long' ? 'ä'.repeat(300_000) : '')
    })
    const headers = { ...asking.headers, authorization: 'Bearer x' }
    for (const path of ['/v1/a%20b?x=1&y=%2F', '/long', '/']) {
      const seen = await Promise.all(
        [nodeFetch, httpFetch].map(async (fetch) => {
          const answer = await fetch(server + path, { ...asking, headers })
          const { status } = answer
          return {
            status,
            id: answer.headers.get('X-Request-Id'),
            none: answer.headers.get('y'),
            text: await answer.text(),
          }
        }),
      )
      expect(seen[0]).toEqual(seen[1])
    }
  })

  it('finds a server that has only an address of IPv6', async ({ skip }) => {
    const server = createServer((_, response) => response.end('six'))
    const address = await listening(server, '::1').catch((error: NodeJS.ErrnoException) => error)
    if (address instanceof Error) return skip(`this machine has no IPv6: ${address.code}`)
    expect(await (await nodeFetch(address, asking)).text()).toBe('six')
  })

  it('fails with what Node says if nobody is there', async () => {
    await expect(nodeFetch('http://127.0.0.1:1/', asking)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it.each([
    ['before it says anything', ''],
    ['in the middle of its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
  ])('fails as a connection that was cut if the server goes away %s', async (_, said) => {
    const server = await listening(createPlainServer((socket) => socket.once('data', () => socket.end(said))))
    await expect(nodeFetch(server, asking)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('says so if what answers does not speak HTTP', async () => {
    const server = await listening(
      createPlainServer((socket) => socket.once('data', () => socket.end('220 mail\r\n\r\n'))),
    )
    await expect(nodeFetch(server, asking)).rejects.toMatchObject({ reason: 'bad_answer' })
  })

  it('ends for the reason of who asked, and closes the connection', async () => {
    const asked = new AbortController()
    const reason = new Error('enough')
    let closed: Promise<unknown> | undefined
    const server = await answering(({ socket }) => {
      closed = once(socket, 'close')
      asked.abort(reason)
    })
    await expect(nodeFetch(server, { ...asking, signal: asked.signal })).rejects.toBe(reason)
    await closed
    await expect(nodeFetch(server, { ...asking, signal: asked.signal })).rejects.toBe(reason)
  })
})

describe('what is more than one question', () => {
  it.each([
    ['TLS', 'https://x', asking],
    ['an answer that comes bit by bit', 'http://x', { ...asking, headers: { accept: 'text/event-stream' } }],
    ['a change', 'http://x', { ...asking, method: 'PUT', body: '{}' }],
    ['a header that would be two', 'http://x', { ...asking, headers: { ...asking.headers, a: 'b\r\nc: d' } }],
  ])('is left to node:http: %s', (_, url, more) => {
    expect(isPlain(url, more)).toBe(false)
  })

  it('is refused there where a header would be two', async () => {
    const headers = { ...asking.headers, authorization: 'Bearer a\r\nb: c' }
    await expect(nodeFetch('http://127.0.0.1:1', { ...asking, headers })).rejects.toMatchObject({
      code: 'ERR_INVALID_CHAR',
    })
  })
})
