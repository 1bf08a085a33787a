import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  backend,
  edgeRig,
  keeper,
  never,
  sayRaw,
  type TestBackend,
  tableOf,
  testHost,
  until,
} from '../testing/index.ts'

const kept = keeper()
const head = `GET /socket HTTP/1.1\r\nHost: ${testHost}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: abc\r\n\r\n`

/** Agrees to everything and says back what it hears. */
async function echo(): Promise<TestBackend> {
  const one = kept(await backend('echo'))
  const sockets = new Set<Socket>()
  one.server.on('upgrade', (request, socket, first) => {
    one.seen.push(request)
    sockets.add(socket as Socket)
    socket.on('error', () => undefined)
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Key: 1\r\n\r\n')
    socket.write(first)
    socket.pipe(socket)
  })
  kept({
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  })
  return one
}

function client(port: number, text: string): { socket: Socket; heard: () => string } {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    heard += chunk
  })
  socket.on('error', () => undefined)
  socket.write(text)
  kept({ close: () => socket.destroy() })
  return { socket, heard: () => heard }
}

describe('a WebSocket', () => {
  it('is tunnelled both ways, with what was sent along with the head, and counted while it lasts', async () => {
    const one = await echo()
    const { port, link } = kept(await edgeRig({}, tableOf({ backends: [one.told] })))
    const { socket, heard } = client(port, `${head}first `)
    await until('it is agreed', () => heard().endsWith('first '))
    expect(heard()).toMatch(/^HTTP\/1.1 101 Switching Protocols\r\n.*X-Key: 1/s)
    expect(one.seen[0]?.headers).toMatchObject({
      upgrade: 'websocket',
      'sec-websocket-key': 'abc',
      'x-forwarded-for': '127.0.0.1',
    })
    socket.write('second')
    await until('it came back', () => heard().endsWith('second'))
    expect(await link.inFlight(['echo'], never)).toEqual([{ backend: 'echo', count: 1 }])
    socket.end()
    await until('it is over', async () => (await link.inFlight(['echo'], never))[0]?.count === 0)
    expect((await link.figures(never)).routes[0]?.answers).toEqual([1, 0, 0, 0, 0])
  })

  it('that the backend ends is ended for the client', async () => {
    const one = await echo()
    const { port } = kept(await edgeRig({}, tableOf({ backends: [one.told] })))
    const { socket, heard } = client(port, head)
    let closed = false
    socket.on('close', () => {
      closed = true
    })
    await until('it is agreed', () => heard().includes('101'))
    for (const seen of one.seen) seen.socket.destroy()
    await until('the client knows', () => closed)
  })

  it('that is refused gets the answer, and no way past it on the same connection', async () => {
    const one = kept(
      await backend('guard', (_, response) => void response.writeHead(401, { 'x-why': 'no' }).end('who?')),
    )
    const { port, link } = kept(await edgeRig({}, tableOf({ backends: [one.told] })))
    const hidden = `GET /hidden HTTP/1.1\r\nHost: ${testHost}\r\n\r\n`
    const heard = await sayRaw(port, `${head}${hidden}`)
    expect(heard).toMatch(/^HTTP\/1.1 401 .*x-why: no.*who\?/is)
    expect(heard).toMatch(/connection: close/i)
    expect(one.seen.map(({ url }) => url)).toEqual(['/socket'])
    expect(await link.inFlight(['guard'], never)).toEqual([{ backend: 'guard', count: 0 }])
  })

  it('goes to another backend where nobody answers, and to a page where none is left', async () => {
    const one = await echo()
    const nobody = { id: 'nobody', dial: { host: '127.0.0.1', port: 1 }, leaving: false }
    const { port, swap } = kept(await edgeRig({}, tableOf({ backends: [nobody, one.told] })))
    for (let turn = 0; turn < 3; turn++) {
      const { heard } = client(port, head)
      await until('it is agreed', () => heard().includes(' 101 '))
    }
    await swap(tableOf({ number: 2, backends: [nobody] }))
    expect(await sayRaw(port, head)).toMatch(/^HTTP\/1.1 502 /)
    await swap(tableOf({ number: 3 }))
    expect(await sayRaw(port, head)).toMatch(/^HTTP\/1.1 503 /)
  })
})
