import { describe, expect, it } from 'vitest'
import {
  backend,
  type EdgeRig,
  edgeRig,
  keeper,
  sayRaw,
  type TestBackend,
  tableOf,
  testHost,
} from '../testing/index.ts'

const kept = keeper()

async function rig(): Promise<{ edge: EdgeRig; one: TestBackend }> {
  const one = kept(
    await backend('one', (request, response) => {
      request.resume()
      request.on('end', () => response.end('ok'))
    }),
  )
  return { one, edge: kept(await edgeRig({}, tableOf({ backends: [one.told] }))) }
}

const host = `Host: ${testHost}\r\n`
/** What an attacker wants to be read as a request of its own. */
const hidden = `GET /hidden HTTP/1.1\r\n${host}\r\n`

describe('a request that could be read in two ways', () => {
  it.each([
    [
      'both lengths',
      `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['two lengths', `POST / HTTP/1.1\r\n${host}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
    ['the same length twice', `POST / HTTP/1.1\r\n${host}Content-Length: 0\r\nContent-Length: 0\r\n\r\n${hidden}`],
    ['lengths in a list', `POST / HTTP/1.1\r\n${host}Content-Length: 0, 0\r\n\r\n${hidden}`],
    ['a length with a sign', `POST / HTTP/1.1\r\n${host}Content-Length: +0\r\n\r\n${hidden}`],
    ['a length in hexadecimal', `POST / HTTP/1.1\r\n${host}Content-Length: 0x10\r\n\r\n${hidden}`],
    ['a space before the colon', `POST / HTTP/1.1\r\n${host}Content-Length : 5\r\n\r\n${hidden}`],
    [
      'an encoding that is not the last',
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    ['an encoding nobody knows', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`],
    [
      'two encodings',
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['gzip before chunked', `POST / HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${hidden}`],
    [
      'a chunk whose size does not read',
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n`,
    ],
    ['two hosts', `GET / HTTP/1.1\r\n${host}Host: other.example\r\n\r\n`],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['a host with a path in it', 'GET / HTTP/1.1\r\nHost: a.example/b\r\n\r\n'],
    ['a header over two lines', `GET / HTTP/1.1\r\n${host}X-A: b\r\n Content-Length: 5\r\n\r\n`],
    ['a bare line feed in a header', `GET / HTTP/1.1\r\n${host}X-A: b\nX-B: c\r\n\r\n`],
    ['a NUL in a header', `GET / HTTP/1.1\r\n${host}X-A: b\0c\r\n\r\n`],
    [
      'an upgrade with a body',
      `GET / HTTP/1.1\r\n${host}Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n\r\nhello`,
    ],
  ])('is refused and the connection ended: %s', async (_, text) => {
    const { edge, one } = await rig()
    const heard = await sayRaw(edge.port, text)
    expect(heard).toMatch(/^HTTP\/1.1 400 /)
    expect(heard.match(/^HTTP\/1.1 \d/gm)).toHaveLength(1)
    expect(one.seen.map(({ url }) => url)).not.toContain('/hidden')
  })

  it('is not passed on either when a tunnel to elsewhere is asked for', async () => {
    const { edge } = await rig()
    expect(await sayRaw(edge.port, 'CONNECT a.example:22 HTTP/1.1\r\nHost: a.example:22\r\n\r\n')).toMatch(
      /^HTTP\/1.1 405 /,
    )
  })

  it('is not made of an offer of HTTP/2, which is answered as if there had been none', async () => {
    const { edge, one } = await rig()
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'
    const heard = await sayRaw(edge.port, `GET /plain HTTP/1.1\r\n${host}${offer}\r\n${hidden}`)
    expect(heard).toMatch(/^HTTP\/1.1 200 /)
    expect(heard).toMatch(/connection: close/i)
    expect(one.seen.map(({ url }) => url)).toEqual(['/plain'])
    expect(one.seen[0]?.headers).not.toHaveProperty('upgrade')
    expect(one.seen[0]?.headers).not.toHaveProperty('http2-settings')
  })

  it('is not what a target in absolute form is: its own host counts', async () => {
    const { edge, one } = await rig()
    const text = `GET http://${testHost}/there?q HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`
    expect(await sayRaw(edge.port, text)).toMatch(/^HTTP\/1.1 200 /)
    expect(one.seen[0]).toMatchObject({ url: '/there?q', headers: { host: testHost } })
  })
})
