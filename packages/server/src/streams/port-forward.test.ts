import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { Fault } from '@gantry/core'
import type { Connection, Engine, Observed } from '@gantry/providers'
import { overlay } from '@gantry/providers/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StreamServer, streamServer } from './testing/stream-server.ts'

let target: Server
let server: StreamServer
/** The last connection that was taken. */
let flooded: Socket | undefined
const flood = 64 * 1_048_576

beforeAll(async () => {
  target = createServer({ allowHalfOpen: true }, (socket) => {
    socket.write('hello\n')
    socket.on('data', (data) => socket.write(String(data) === 'flood' ? Buffer.alloc(flood, 'x') : data))
    socket.on('end', () => socket.end('bye\n'))
    flooded = socket
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  const ports = [
    { name: 'http', port: 8080 },
    { name: 'dead', port: 8081 },
    { name: 'dns', port: 53, protocol: 'udp' as const },
    { name: 'far', port: 9000 },
    { name: 'far-dead', port: 9001 },
  ]
  server = await streamServer(
    (kit) => ({ services: [kit.service({}, { ports })] }),
    (engine) => reachable(engine),
  )
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await new Promise((resolve) => target.close(resolve))
})

/** The same engine, whose ports can really be dialled. */
function reachable(engine: Engine): Engine {
  const { port } = target.address() as AddressInfo
  const real = (observed: Observed): Observed => ({
    ...observed,
    replicas: observed.replicas.map((replica) => ({
      ...replica,
      endpoints: replica.endpoints.map((endpoint) =>
        endpoint.port.startsWith('far')
          ? { ...endpoint, via: 'tunnel', dial: { host: '10.96.0.1', port: endpoint.port === 'far' ? 9000 : 9001 } }
          : { ...endpoint, dial: { host: '127.0.0.1', port: endpoint.port === 'dead' ? 1 : port } },
      ),
    })),
  })
  return overlay(engine, {
    connect: async (_, service, wanted) => tunnel(port, `${service}:${wanted}`),
    async *observe(call) {
      for await (const seen of engine.observe(call)) {
        if (seen.type === 'snapshot') yield { ...seen, instances: seen.instances.map(real) }
        else if (seen.type === 'changed') yield { ...seen, instance: real(seen.instance) }
        else yield seen
      }
    },
  })
}

/** As an engine would have it: nobody listens at one of the ports, which it says only afterwards. */
function tunnel(port: number, where: string): Connection {
  tunnels.push(where)
  if (where.endsWith(':9001')) {
    const closed = Promise.reject(new Fault('service_not_running', 'nobody listens there'))
    return {
      incoming: nothing(),
      write: async () => undefined,
      end: async () => undefined,
      closed,
      close: () => undefined,
    }
  }
  const socket = connect(port, '127.0.0.1')
  return {
    incoming: socket,
    write: async (bytes) => void socket.write(bytes),
    end: async () => void socket.end(),
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    close: () => socket.destroy(),
  }
}

const tunnels: string[] = []

async function* nothing(): AsyncGenerator<Uint8Array> {
  await new Promise(() => undefined)
}

/** Until it is the same for a while. */
async function steady(look: () => unknown): Promise<void> {
  for (let same = 0, last = look(); same < 10; ) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const now = look()
    same = now === last ? same + 1 : 0
    last = now
  }
}

describe('GET …/port-forward', () => {
  it('goes through the engine to what only that can reach', async () => {
    const connection = await server.as('operator').tenant('shop').workloads.portForward('web', 'far')
    await connection.write(Buffer.from('over there\n'))
    connection.end()
    const chunks: Uint8Array[] = []
    for await (const chunk of connection.bytes) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toBe('hello\nover there\nbye\n')
    expect(tunnels).toEqual(['web:9000'])
  })

  it('says what the engine found to be wrong there', async () => {
    const connection = await server.as('operator').tenant('shop').workloads.portForward('web', 'far-dead')
    const reading = (async () => {
      for await (const _ of connection.bytes);
    })()
    await expect(reading).rejects.toThrow(/nobody listens there/)
  })

  it.each(['http', 8080])('carries bytes both ways to port %s, and each end of them', async (port) => {
    const connection = await server.as('operator').tenant('shop').workloads.portForward('web', port)
    expect(connection.where).toEqual({ service: 'web', slot: 'a', replica: 0, port: 'http' })
    const large = Buffer.alloc(500_000, 'x')
    const reading = (async () => {
      const chunks: Uint8Array[] = []
      for await (const chunk of connection.bytes) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    })()
    await connection.write(large)
    connection.end()
    expect(await reading).toBe(`hello\n${large.toString()}bye\n`)
  })

  it('takes no more from the service than its reader does, and loses nothing of it', async () => {
    const connection = await server.as('operator').tenant('shop').workloads.portForward('web', 'http')
    const bytes = connection.bytes[Symbol.asyncIterator]()
    await connection.write(Buffer.from('flood'))
    let read = 0
    while (read < 100) read += (await bytes.next()).value?.length ?? 0
    await steady(() => flooded?.writableLength)
    expect(flooded?.writableLength).toBeGreaterThan(flood / 4)
    connection.end()
    for (let next = await bytes.next(); !next.done; next = await bytes.next()) read += next.value.length
    expect(read).toBe('hello\n'.length + flood + 'bye\n'.length)
  })

  it.each([
    ['none', 'bad_request'],
    [9999, 'bad_request'],
    ['dns', 'capability_missing'],
    ['dead', 'service_not_running'],
  ])('refuses port %s with its reason', async (port, reason) => {
    await expect(server.as('operator').tenant('shop').workloads.portForward('web', port)).rejects.toMatchObject({
      reason,
    })
  })
})
