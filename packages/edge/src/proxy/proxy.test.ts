import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  ask,
  backend,
  type EdgeRig,
  edgeRig,
  keepAliveAgent,
  keeper,
  routeOf,
  sayRaw,
  type TestBackend,
  tableOf,
  testHost,
  until,
} from '../testing/index.ts'

const kept = keeper()

async function edgeWith(one: TestBackend, more: Parameters<typeof tableOf>[0] = {}): Promise<EdgeRig> {
  return kept(await edgeRig({}, tableOf({ backends: [one.told], ...more })))
}

describe('a request through the edge', () => {
  it('reaches the backend as it was, and the answer comes back as it was', async () => {
    const one = kept(
      await backend('one', (request, response) => {
        response.writeHead(201, 'Made', [
          ['X-Twice', '1'],
          ['X-Twice', '2'],
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
        ])
        response.end(`${request.method} ${request.url}`)
      }),
    )
    const { port } = await edgeWith(one)
    const answer = await ask(port, '/a%2Fb?c=d', { method: 'DELETE', headers: { 'x-mine': 'yes' } })
    expect(answer).toMatchObject({ status: 201, body: 'DELETE /a%2Fb?c=d' })
    expect(answer.headers).toMatchObject({ 'x-twice': '1, 2', 'set-cookie': ['a=1', 'b=2'] })
    expect(one.seen[0]?.headers).toMatchObject({ host: testHost, 'x-mine': 'yes' })
  })

  it('carries a large body both ways without change', async () => {
    const one = kept(await backend('echo', (request, response) => void request.pipe(response)))
    const { port } = await edgeWith(one)
    const bytes = randomBytes(8 * 1024 * 1024).toString('base64')
    const answer = await ask(port, '/', { method: 'POST', body: bytes })
    expect(hash(answer.body)).toBe(hash(bytes))
  })

  it('streams: a chunk arrives before the next one is written', async () => {
    let write: (text: string) => void = () => undefined
    const one = kept(
      await backend('stream', (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.flushHeaders()
        write = (text) => void response.write(text)
      }),
    )
    const { port } = await edgeWith(one)
    let heard = ''
    const sent = httpRequest({ host: '127.0.0.1', port, headers: { host: testHost } }, (response) => {
      heard = 'head '
      response.on('data', (chunk) => {
        heard += chunk
      })
    }).end()
    await until('the head came', () => heard === 'head ')
    write('one ')
    await until('the first chunk came', () => heard === 'head one ')
    write('two')
    await until('the second chunk came', () => heard === 'head one two')
    sent.on('error', () => undefined).destroy()
  })

  it('holds a backend back when the client does not read, instead of keeping it all in memory', async () => {
    let written = 0
    const chunk = Buffer.alloc(65_536)
    const total = 256 * 1024 * 1024
    const one = kept(
      await backend('fire hose', (_, response) => {
        const more = (): void => {
          while (written < total) {
            written += chunk.length
            if (!response.write(chunk)) return void response.once('drain', more)
          }
          response.end()
        }
        more()
      }),
    )
    const { port } = await edgeWith(one)
    const sent = httpRequest({ host: '127.0.0.1', port, headers: { host: testHost } }).end()
    await new Promise<void>((resolve) => sent.on('response', (response) => resolve(void response.pause())))
    let before = -1
    await until('the backend was held back', () => {
      const still = written === before
      before = written
      return still
    })
    expect(written).toBeLessThan(total / 4)
    sent.on('error', () => undefined).destroy()
  })

  it('tells the backend who asked, and does not believe a client who says so', async () => {
    const one = kept(await backend('one'))
    const { port } = await edgeWith(one)
    const headers = {
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-proto': 'https',
      forwarded: 'for=1.2.3.4',
      'x-real-ip': '1.2.3.4',
    }
    await ask(port, '/', { headers })
    expect(one.seen[0]?.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': testHost,
    })
    expect(one.seen[0]?.headers).not.toHaveProperty('forwarded')
    expect(one.seen[0]?.headers).not.toHaveProperty('x-real-ip')
  })

  it('believes a proxy that it was told to trust', async () => {
    const one = kept(await backend('one'))
    const { port } = await edgeWith(one, { trusted: ['127.0.0.0/8'], backends: [one.told] })
    await ask(port, '/', { headers: { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https' } })
    expect(one.seen[0]?.headers).toMatchObject({
      'x-forwarded-for': '1.2.3.4, 127.0.0.1',
      'x-forwarded-proto': 'https',
    })
  })

  it('leaves out what is meant for the next hop only, also what Connection names, but never what frames it', async () => {
    const one = kept(
      await backend('one', (_, response) => {
        response.writeHead(200, { connection: 'close, x-hop', 'x-hop': '1', 'keep-alive': 'timeout=1', 'x-end': '2' })
        response.end('ok')
      }),
    )
    const { port } = await edgeWith(one)
    const headers = {
      connection: 'keep-alive, x-private, content-length, host',
      'x-private': '1',
      te: 'trailers',
      'x-kept': '2',
    }
    const answer = await ask(port, '/', { method: 'POST', body: 'four', headers })
    expect(one.seen[0]?.headers).not.toHaveProperty('x-private')
    expect(one.seen[0]?.headers).not.toHaveProperty('te')
    expect(one.seen[0]?.headers).toMatchObject({ 'x-kept': '2', 'content-length': '4', host: testHost })
    expect(answer.headers).toMatchObject({ 'x-end': '2' })
    expect(answer.headers).not.toHaveProperty('x-hop')
  })

  it('keeps the connection of a client open when the backend closes its own', async () => {
    const one = kept(
      await backend('one', (_, response) => void response.writeHead(200, { connection: 'close' }).end('ok')),
    )
    const { port } = await edgeWith(one)
    const agent = keepAliveAgent(1)
    for (let turn = 0; turn < 3; turn++) {
      const answer = await ask(port, '/', { agent })
      expect([answer.status, answer.headers.connection]).toEqual([200, 'keep-alive'])
    }
    agent.destroy()
  })

  it.each([
    ['a HEAD', 'HEAD', 200, ''],
    ['a 204', 'GET', 204, ''],
    ['a 304', 'GET', 304, ''],
  ])('passes %s on without a body', async (_, method, status, body) => {
    const one = kept(await backend('one', (__, response) => void response.writeHead(status, { 'x-is': 'there' }).end()))
    const { port } = await edgeWith(one)
    const answer = await ask(port, '/', { method })
    expect(answer).toMatchObject({ status, body, headers: { 'x-is': 'there' } })
  })

  it('tells a client that waits for leave to go on only when a backend wants the body', async () => {
    const one = kept(await backend('echo', (request, response) => void request.pipe(response)))
    const { port } = await edgeWith(one)
    const head = `POST / HTTP/1.1\r\nhost: ${testHost}\r\nexpect: 100-continue\r\ncontent-length: 4\r\nconnection: close\r\n\r\n`
    const heard = await sayRaw(port, head, (text) => text.includes('\r\n\r\n'))
    expect(heard).toMatch(/^HTTP\/1.1 100 Continue/)
    const whole = await new Promise<string>((resolve) => {
      const sent = httpRequest({
        host: '127.0.0.1',
        port,
        method: 'POST',
        headers: { host: testHost, expect: '100-continue' },
      })
      sent.on('continue', () => sent.end('body'))
      sent.on('response', (response) => response.on('data', (chunk) => resolve(String(chunk))))
    })
    expect(whole).toBe('body')
  })

  it('does not ask for a body that nobody would read', async () => {
    const { port } = kept(await edgeRig({}, tableOf({})))
    const head = `POST / HTTP/1.1\r\nhost: ${testHost}\r\nexpect: 100-continue\r\ncontent-length: 4\r\n\r\n`
    const heard = await sayRaw(port, head)
    expect(heard).toMatch(/^HTTP\/1.1 503 /)
    expect(heard).toMatch(/connection: close/i)
  })

  it('lets an answer through that comes before the body was sent, and the connection live on', async () => {
    const one = kept(await backend('full', (_, response) => void response.writeHead(413).end('too large')))
    const { port } = await edgeWith(one)
    const agent = keepAliveAgent(1)
    const answer = await ask(port, '/', { method: 'POST', body: Buffer.alloc(4 * 1024 * 1024), agent })
    expect(answer).toMatchObject({ status: 413, body: 'too large' })
    expect((await ask(port, '/', { agent })).status).toBe(413)
    agent.destroy()
  })

  it('goes to the route of its host with the longest beginning of its path', async () => {
    const [root, api, deep, other] = await Promise.all(
      ['root', 'api', 'deep', 'other'].map(async (id) => kept(await backend(id))),
    )
    const routes = [
      routeOf({ path: '/', backends: ['root'] }),
      routeOf({ path: '/api', backends: ['api'] }),
      routeOf({ path: '/api/deep', backends: ['deep'] }),
      routeOf({ host: 'other.example', backends: ['other'] }),
    ]
    const backends = [root, api, deep, other].flatMap((one) => one?.told ?? [])
    const { port } = kept(await edgeRig({}, tableOf({ routes, backends })))
    const at = async (path: string, to = testHost): Promise<string> => (await ask(port, path, { to })).body
    expect(await at('/')).toBe('root')
    expect(await at('/apis')).toBe('root')
    expect(await at('/api')).toBe('api')
    expect(await at('/api?deep')).toBe('api')
    expect(await at('/api/deeper')).toBe('api')
    expect(await at('/api/deep/er')).toBe('deep')
    expect(await at('/api', 'OTHER.example.:8080')).toBe('other')
    expect((await ask(port, '/', { to: 'unknown.example' })).status).toBe(404)
  })
})

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
