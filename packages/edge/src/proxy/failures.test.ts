import { createServer, type Server, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { EdgeBackend } from '../table.ts'
import { ask, backend, edgeRig, keeper, never, routeOf, tableOf, testHost, until } from '../testing/index.ts'

const kept = keeper()

/** Port 1 is nobody's. */
const nobody: EdgeBackend = { id: 'nobody', dial: { host: '127.0.0.1', port: 1 }, leaving: false }

/** A backend below HTTP: it does what it is told with each request that it is sent. */
async function socketBackend(id: string, onRequest: (socket: Socket, nth: number) => void): Promise<EdgeBackend> {
  let nth = 0
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', () => onRequest(socket, ++nth))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  kept({
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
  const { port } = server.address() as { port: number }
  return { id, dial: { host: '127.0.0.1', port }, leaving: false }
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

describe('when a backend does not answer', () => {
  it('another one is asked, also with a body, and the one where nobody is gets left alone for a while', async () => {
    const one = kept(await backend('one', (request, response) => void request.pipe(response)))
    const { port, link } = kept(await edgeRig({}, tableOf({ backends: [nobody, one.told] })))
    for (let turn = 0; turn < 6; turn++) {
      expect(await ask(port, '/', { method: 'POST', body: `body ${turn}` })).toMatchObject({
        status: 200,
        body: `body ${turn}`,
      })
    }
    expect((await link.figures(never)).routes[0]).toMatchObject({ requests: 6, answers: [0, 6, 0, 0, 0] })
    const out = await until('nobody is sent there for a while', async () => {
      expect((await ask(port)).status).toBe(200)
      const { backends } = await link.figures(never)
      return backends.find(({ backend: id, ejectedForMs }) => id === 'nobody' && ejectedForMs > 0)
    })
    expect(out.failures.connect).toBeGreaterThan(0)
  })

  it('it comes back by itself when somebody answers there again', async () => {
    const first = await backend('first')
    const { port: place } = first
    await first.close()
    const told: EdgeBackend = { id: 'late', dial: { host: '127.0.0.1', port: place }, leaving: false }
    const { port } = kept(await edgeRig({}, tableOf({ backends: [told] })))
    expect((await ask(port)).status).toBe(502)
    kept(await backend('late', undefined, place))
    expect(await until('it answers', async () => (await ask(port)).status === 200)).toBe(true)
  })

  it('the page says which workload and why, for programs and for people', async () => {
    const why = 'It is stopped: run is "stopped".'
    const { port } = kept(await edgeRig({}, tableOf({ routes: [routeOf({ why })] })))
    const plain = await ask(port)
    expect(plain).toMatchObject({ status: 503, headers: { 'content-type': 'application/json; charset=utf-8' } })
    expect(JSON.parse(plain.body)).toMatchObject({ status: 503, why, workload: { tenant: 'default', name: 'hello' } })
    const html = await ask(port, '/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect(html.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(html.body).toContain('<b>hello</b>')
    expect(html.body).toContain('It is stopped: run is &#34;stopped&#34;.')
  })

  it('a refused connection is a 502 and an answer that does not come a 504', async () => {
    const silent = await socketBackend('silent', () => undefined)
    const { port, swap } = kept(await edgeRig({ answerMs: 100 }, tableOf({ backends: [nobody] })))
    expect(await ask(port)).toMatchObject({ status: 502, body: expect.stringContaining('No connection could be made') })
    await swap(tableOf({ number: 2, backends: [silent] }))
    expect(await ask(port)).toMatchObject({ status: 504, body: expect.stringContaining('did not answer in time') })
  })

  it('an answer that is not HTTP is a 502', async () => {
    const noise = await socketBackend('noise', (socket) => socket.end('what?\r\n\r\n'))
    const { port } = kept(await edgeRig({}, tableOf({ backends: [noise] })))
    expect(await ask(port)).toMatchObject({ status: 502, body: expect.stringContaining('not proper HTTP') })
  })

  it('a used connection that is closed under a GET is no failure, and one under a POST is told', async () => {
    const moody = await socketBackend('moody', (socket, nth) => {
      if (nth === 2 || nth === 5) socket.destroy()
      else socket.write(ok)
    })
    const { port, link } = kept(await edgeRig({}, tableOf({ backends: [moody] })))
    expect((await ask(port)).status).toBe(200)
    expect((await ask(port)).status).toBe(200)
    expect((await ask(port, '/', { method: 'POST', body: 'a' })).status).toBe(200)
    expect((await ask(port, '/', { method: 'POST', body: 'b' })).status).toBe(502)
    expect((await link.figures(never)).routes[0]).toMatchObject({ requests: 4, failures: { reset: 1 } })
  })

  it('an answer that breaks off is broken off for the client too', async () => {
    const half = await socketBackend('half', (socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    )
    const { port } = kept(await edgeRig({}, tableOf({ backends: [half] })))
    await expect(ask(port)).rejects.toThrow(/aborted|hang up/)
  })

  it('a host that nobody serves is a 404, and is counted', async () => {
    const { port, link } = kept(await edgeRig({}, tableOf({})))
    expect(await ask(port, '/', { to: '<b>x' }).catch(() => ({ status: 400 }))).toMatchObject({ status: 400 })
    const answer = await ask(port, '/', { to: 'nowhere.example' })
    expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('nowhere.example') })
    expect((await link.figures(never)).unrouted).toBe(1)
    expect((await ask(port, '/', { to: testHost })).status).toBe(503)
  })
})
