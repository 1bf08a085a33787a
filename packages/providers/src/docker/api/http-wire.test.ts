import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dockerApi } from './connect.ts'
import { httpWire } from './http-wire.ts'

const signal = AbortSignal.timeout(900_000)

describe('the wire to an engine', () => {
  let folder: string
  let socket: string
  const servers: Server[] = []
  const connections = new Set<Socket>()
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-wire-'))
    socket = join(folder, 'docker.sock')
  })
  afterEach(async () => {
    for (const each of connections) each.destroy()
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
    rmSync(folder, { recursive: true })
  })

  async function serve(answer: RequestListener): Promise<Server> {
    const server = createServer(answer)
    server.on('connection', (each) => {
      connections.add(each)
      each.once('close', () => connections.delete(each))
    })
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    servers.push(server)
    return server
  }

  const wire = (clock = systemClock) => httpWire({ socket }, { clock, answerMs: 5_000, prefix: '/v1.41' })
  const ping = { method: 'GET', path: '/_ping' } as const

  it('says that an engine which is not there is unreachable', async () => {
    await expect(wire().ask(ping, { signal })).rejects.toMatchObject({ reason: 'engine_unreachable' })
  })

  it('gives up an engine that takes the question and never answers', async () => {
    const clock = new VirtualClock()
    let tellAsked = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      tellAsked = resolve
    })
    await serve(() => tellAsked())
    const answer = wire(clock).ask(ping, { signal })
    const outcome = expect(answer).rejects.toMatchObject({ reason: 'deadline_exceeded' })
    await asked
    await clock.advance(5_000)
    await outcome
  })

  it('rethrows the reason of a caller who leaves, before, during and after the answer begins', async () => {
    const reason = new Error('left')
    await expect(wire().ask(ping, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const caller = new AbortController()
    await serve((request, response) => {
      if (request.url === '/v1.41/silent') return caller.abort(reason)
      response.write('first')
    })
    await expect(wire().ask({ method: 'GET', path: '/silent' }, caller)).rejects.toBe(reason)
    const reader = new AbortController()
    const chunks = await wire().open({ method: 'GET', path: '/stream' }, reader)
    const seen: string[] = []
    const reading = (async () => {
      for await (const chunk of chunks) {
        seen.push(chunk.toString())
        reader.abort(reason)
      }
    })()
    await expect(reading).rejects.toBe(reason)
    expect(seen).toEqual(['first'])
  })

  it('tells an answer that breaks off from one that ends', async () => {
    await serve((_, response) => {
      response.write('half')
      setImmediate(() => response.destroy())
    })
    await expect(wire().ask(ping, { signal })).rejects.toMatchObject({ reason: 'engine_unreachable' })
  })

  it('asks again where an engine was started anew behind a kept connection, and never sends a change twice', async () => {
    const seen: string[] = []
    const answer: RequestListener = (request, response) => {
      seen.push(`${request.method}`)
      if (request.method === 'POST') request.socket.destroy()
      else response.end('OK')
    }
    const first = await serve(answer)
    const own = wire()
    expect((await own.ask(ping, { signal })).body.toString()).toBe('OK')
    const closed = new Promise((resolve) => first.close(resolve))
    for (const each of connections) each.destroy()
    await closed
    servers.length = 0
    await serve(answer)
    expect((await own.ask(ping, { signal })).body.toString()).toBe('OK')
    const change = own.ask({ method: 'POST', path: '/change' }, { signal })
    await expect(change).rejects.toMatchObject({ reason: 'engine_unreachable' })
    expect(seen).toEqual(['GET', 'GET', 'POST'])
    own.close()
  })

  it('does not ask again for an answer that has begun on a kept connection, and breaks off', async () => {
    const asked: Socket[] = []
    const server = createServer((request, response) => {
      asked.push(request.socket)
      if (request.url === '/stream') response.write('half')
      else response.end('OK')
    })
    server.on('connection', (each) => connections.add(each))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    const { port } = server.address() as AddressInfo
    const own = httpWire({ host: '127.0.0.1', port }, { clock: systemClock, answerMs: 5_000, prefix: '' })
    await own.ask(ping, { signal })
    await new Promise((resolve) => setImmediate(resolve))
    const reading = (async () => {
      // Not merely closed: what is then told is an error of the connection.
      for await (const _ of await own.open({ method: 'GET', path: '/stream' }, { signal })) asked[1]?.resetAndDestroy()
    })()
    await expect(reading).rejects.toMatchObject({ reason: 'engine_unreachable' })
    expect(asked[1]).toBe(asked[0])
    // One that was sent before this would have come before it.
    await own.ask(ping, { signal })
    expect(asked).toHaveLength(3)
    own.close()
  })

  it('loses no byte that comes together with the change of a connection', async () => {
    const server = await serve(() => undefined)
    server.on('upgrade', (_request, upgraded: Socket) => {
      const frame = Buffer.from([1, 0, 0, 0, 0, 0, 0, 5, ...Buffer.from('early')])
      const head = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
      upgraded.end(Buffer.concat([Buffer.from(head), frame]))
    })
    const { execs } = dockerApi(wire(), '1.41', systemClock)
    const session = await execs.start('x', { tty: false }, { signal })
    const seen: string[] = []
    for await (const { stream, data } of session.output) seen.push(`${stream} ${data}`)
    expect(seen).toEqual(['stdout early'])
  })

  it("tells a failure of the caller's own archive as it is", async () => {
    await serve((request) => void request.resume())
    const broken = new Error('no such file')
    async function* archive(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('begin')
      throw broken
    }
    await expect(wire().ask({ method: 'PUT', path: '/x', archive: archive() }, { signal })).rejects.toBe(broken)
  })

  it('hears why an archive is refused, however large, since it is sent only to who wants it', async () => {
    const server = await serve(() => undefined)
    // As Docker does: it answers without a look at what comes, and closes the connection.
    server.on('checkContinue', (request, response) => {
      response
        .writeHead(404, { connection: 'close' })
        .end('{"message":"No such container"}', () => request.socket.destroy())
    })
    const archive = Buffer.alloc(8 * 1024 * 1024)
    const refused = wire().ask({ method: 'PUT', path: '/x', archive }, { signal })
    await expect(refused).rejects.toMatchObject({ reason: 'engine_object_not_found' })
  })
})
