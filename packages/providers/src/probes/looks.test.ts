import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { channel } from '../channel.ts'
import type { ExecExit, ExecSession } from '../exec.ts'
import { commandLook } from './command.ts'
import { httpLook } from './http.ts'
import { tcpLook } from './tcp.ts'

const call = { signal: new AbortController().signal }
const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function answering(status: number | 'never'): Promise<{ server: Server; host: string; port: number }> {
  const server = createServer((_request, response) => {
    if (status !== 'never') response.writeHead(status, { location: '/elsewhere' }).end('text')
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

async function closed(): Promise<{ host: string; port: number }> {
  const { server, host, port } = await answering(200)
  await new Promise((resolve) => server.close(resolve))
  return { host, port }
}

describe('a look by http', () => {
  it.each<[number, boolean]>([
    [200, true],
    [204, true],
    [302, true],
    [399, true],
    [400, false],
    [500, false],
    [503, false],
  ])('that is answered with %i is well: %s', async (status, isWell) => {
    const { host, port } = await answering(status)
    expect((await httpLook({ host, port, path: '/healthz' })(call)).well).toBe(isWell)
  })

  it('says what it asked and what came of it', async () => {
    const { host, port } = await answering(503)
    const message = `GET /healthz on port ${port} answered 503`
    expect(await httpLook({ host, port, path: '/healthz' })(call)).toEqual({ well: false, message })
    const nobody = await closed()
    expect(await httpLook({ ...nobody, path: '/' })(call)).toEqual({
      well: false,
      message: `GET / on port ${nobody.port}: nothing listens there`,
    })
  })

  it('keeps no connection', async () => {
    const { server, host, port } = await answering(200)
    await httpLook({ host, port, path: '/' })(call)
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0)
  })

  it('leaves with the reason of its caller', async () => {
    const { host, port } = await answering('never')
    const leave = new AbortController()
    const looking = httpLook({ host, port, path: '/' })({ signal: leave.signal })
    const reason = new Error('enough')
    leave.abort(reason)
    await expect(looking).rejects.toBe(reason)
  })
})

describe('a look by tcp', () => {
  it('is well where a connection is accepted, and says why not elsewhere', async () => {
    const { host, port } = await answering('never')
    expect(await tcpLook({ host, port })(call)).toEqual({ well: true })
    const nobody = await closed()
    expect(await tcpLook(nobody)(call)).toEqual({ well: false, message: `port ${nobody.port}: nothing listens there` })
  })
})

describe('a look by a command', () => {
  const session = (exit: ExecExit, said = ''): ExecSession => {
    const [stdout, stderr] = [channel<Uint8Array>(), channel<Uint8Array>()]
    stderr.push(new TextEncoder().encode(said))
    for (const stream of [stdout, stderr]) stream.close()
    const nothing = async (): Promise<void> => undefined
    return { stdout, stderr, exit: Promise.resolve(exit), write: nothing, end: nothing, resize: nothing }
  }

  it.each<[ExecExit, string, string | undefined]>([
    [{ ended: 'exited', exitCode: 0 }, 'noise', undefined],
    [{ ended: 'exited', exitCode: 3 }, '', 'check exited with code 3'],
    [{ ended: 'exited', exitCode: 3 }, 'first\nlast words\n', 'check exited with code 3: last words'],
    [{ ended: 'killed' }, '', 'check was killed'],
  ])('that ended with %j after %j', async (exit, said, message) => {
    const finding = await commandLook(['check', '--all'], async () => session(exit, said))(call)
    expect(finding).toEqual(message === undefined ? { well: true } : { well: false, message })
  })

  it('is not well where it could not be run', async () => {
    const look = commandLook(['check'], async () => {
      throw new Error('away')
    })
    expect(await look(call)).toEqual({ well: false, message: 'check could not be run: Error: away' })
  })
})
