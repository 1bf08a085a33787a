import type { TestCommand } from '@gantry/providers/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { call, type StreamServer, streamServer } from './testing/stream-server.ts'

let server: StreamServer
beforeAll(async () => {
  server = await streamServer((kit) => ({
    replicas: 2,
    services: [kit.service(), { ...kit.service(), name: 'side', role: 'sidecar' }],
  }))
})
afterAll(() => server[Symbol.asyncDispose]())

const argv = (command: TestCommand) => server.kit.harness.argv(command)
const shop = (role: 'viewer' | 'operator' = 'operator') => server.as(role).tenant('shop').workloads

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

describe('GET …/exec', () => {
  it.each([0, 3, 42])('brings both streams apart, and the exit code %d of the command itself', async (exit) => {
    const running = await shop().exec('web', argv({ do: 'say', stdout: 'to out\n', stderr: 'to err\n', exit }))
    expect(await Promise.all([textOf(running.stdout), textOf(running.stderr)])).toEqual(['to out\n', 'to err\n'])
    expect(await running.exit).toEqual({ ended: 'exited', exitCode: exit })
    expect(running.where).toEqual({ service: 'web', slot: 'a', replica: 0 })
  })

  it('hands stdin over, and its end', async () => {
    const running = await shop().exec('web', argv({ do: 'echo' }), { stdin: true, replica: 1, service: 'side' })
    expect(running.where).toEqual({ service: 'side', slot: 'a', replica: 1 })
    const large = Buffer.alloc(300_000, 'abcdefghi\n')
    for (let at = 0; at < large.length; at += 100_000) await running.write(large.subarray(at, at + 100_000))
    running.end()
    expect(await textOf(running.stdout)).toBe(large.toString())
    expect(await running.exit).toEqual({ ended: 'exited', exitCode: 0 })
  })

  it('gives a terminal, and resizes it', async () => {
    const running = await shop().exec('web', argv({ do: 'size' }), { stdin: true, tty: { rows: 24, columns: 80 } })
    const out = running.stdout[Symbol.asyncIterator]()
    const next = async () => Buffer.from((await out.next()).value ?? []).toString()
    expect(await next()).toBe('24 80\n')
    running.resize({ rows: 50, columns: 132 })
    await running.write(Buffer.from('\n'))
    expect(await next()).toBe('50 132\n')
    running.end()
    expect(await running.exit).toEqual({ ended: 'exited', exitCode: 0 })
  })

  it.each(['close', 'abort'] as const)('ends the command on %s', async (how) => {
    const stop = new AbortController()
    const running = await shop().exec('web', argv({ do: 'hang' }), { signal: stop.signal })
    const commands = async () =>
      (await server.kit.harness.truth(server.ref)).services.reduce((sum, { commands }) => sum + commands, 0)
    expect(await commands()).toBe(1)
    const reason = new Error('enough')
    if (how === 'close') running.close()
    else stop.abort(reason)
    await vi.waitFor(async () => expect(await commands()).toBe(0), { timeout: 60_000 })
    if (how === 'abort') await expect(running.exit).rejects.toBe(reason)
    else await expect(running.exit).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('is recorded with who and what, before it runs, and when it was refused', async () => {
    const before = argv({ do: 'say', stdout: 'x', stderr: '', exit: 0 })
    await (await shop().exec('web', before)).exit
    await expect(shop('viewer').exec('web', before)).rejects.toMatchObject({ reason: 'permission_denied' })
    await expect(shop().exec('web', before, { replica: 7 })).rejects.toMatchObject({ reason: 'replica_not_found' })
    const { entries } = await server.store.audit(
      { tenant: 'shop' },
      { tenant: 'shop', limit: 3, order: 'newest' },
      call,
    )
    expect(entries).toMatchObject([
      { action: 'workload.exec', actor: 'token:operator', outcome: 'refused', detail: { reason: 'replica_not_found' } },
      { action: 'workload.exec', actor: 'token:viewer', outcome: 'refused', detail: { reason: 'permission_denied' } },
      { action: 'workload.exec', actor: 'token:operator', outcome: 'done', detail: { argv: before, replica: 0 } },
    ])
  })

  it.each([
    ['a service that is not there', { service: 'none' }, 'service_not_found'],
    ['a replica that is not there', { replica: 9 }, 'replica_not_found'],
  ])('refuses %s', async (_, where, reason) => {
    await expect(shop().exec('web', ['ls'], where)).rejects.toMatchObject({ reason })
  })

  it('says in HTTP why it is refused, before there is a socket', async () => {
    await expect(shop().exec('none', ['ls'])).rejects.toMatchObject({ reason: 'object_not_found' })
    await expect(server.as('admin', 'bank').tenant('shop').workloads.exec('web', ['ls'])).rejects.toMatchObject({
      kind: 'not_found',
    })
  })

  it('ends a session whose token is revoked', async () => {
    const token = server.token('operator').replace('xx', 'zz')
    const socket = open({ protocols: ['gantry.v1', `gantry.bearer.${token}`] })
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(JSON.stringify({ type: 'start', argv: argv({ do: 'hang' }) }))
    const problem = new Promise<unknown>((resolve) => {
      socket.on('message', (data, isBinary) => {
        if (!isBinary && /"fault"/.test(String(data))) resolve(JSON.parse(String(data)))
      })
    })
    server.revoke(token)
    expect(await problem).toMatchObject({ problem: { reason: 'token_unknown' } })
  })
})

type Opening = { protocols?: string[]; headers?: Record<string, string>; path?: string }

function open({ protocols = ['gantry.v1'], headers = {}, path = 'exec' }: Opening): WebSocket {
  const at = `${server.address.replace('http', 'ws')}/v1/tenants/shop/workloads/web/${path}`
  return new WebSocket(at, protocols, { headers })
}

/** The status that the handshake was answered with. */
async function statusOf(opening: Opening): Promise<number> {
  const socket = open(opening)
  try {
    return await new Promise<number>((resolve) => {
      socket.once('open', () => resolve(101))
      socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0))
    })
  } finally {
    socket.on('error', () => undefined)
    socket.terminate()
  }
}

describe('a cross-site WebSocket', () => {
  const authorization = () => ({ authorization: `Bearer ${server.token('operator')}` })
  it.each(['exec', 'port-forward'])('to %s is refused before the upgrade', async (path) => {
    const host = new URL(server.address).host
    expect(await statusOf({ path, headers: { ...authorization(), origin: 'https://evil.example' } })).toBe(403)
    expect(await statusOf({ path, headers: { ...authorization(), origin: 'null' } })).toBe(403)
    expect(await statusOf({ path, headers: { ...authorization(), origin: `http://${host}` } })).toBe(101)
    expect(await statusOf({ path, headers: authorization() })).toBe(101)
  })

  it('is refused without a token, with a bad one, and where nothing speaks it', async () => {
    expect(await statusOf({})).toBe(401)
    expect(await statusOf({ headers: { authorization: 'Bearer viewer.shop.x' } })).toBe(403)
    expect(await statusOf({ protocols: ['chat'], headers: authorization() })).toBe(400)
    expect(await statusOf({ path: 'usage', headers: authorization() })).toBe(400)
  })

  it('never chooses the sub-protocol that has the token', async () => {
    const socket = open({ protocols: [`gantry.bearer.${server.token('operator')}`, 'gantry.v1'] })
    await new Promise((resolve) => socket.once('open', resolve))
    expect(socket.protocol).toBe('gantry.v1')
    socket.terminate()
  })
})

describe('argv', () => {
  it('is not taken from a URL', async () => {
    const headers = { authorization: `Bearer ${server.token('operator')}` }
    expect(await statusOf({ path: 'exec?argv=ls', headers })).toBe(400)
    expect(await statusOf({ path: 'exec?command=ls', headers })).toBe(400)
  })

  it.each([
    ['{"type":"start"}'],
    ['{"type":"start","argv":[]}'],
    ['{"type":"start","argv":"ls -l"}'],
    ['{"type":"start","argv":["ls"],"shell":true}'],
    ['{"type":"end"}'],
    ['not json'],
  ])('must be a list in the first frame: %s is refused', async (text) => {
    const socket = open({ protocols: ['gantry.v1', `gantry.bearer.${server.token('operator')}`] })
    socket.once('open', () => socket.send(text))
    const frame = await new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))))
    expect(JSON.parse(frame)).toMatchObject({ type: 'fault', problem: { reason: 'schema' } })
  })
})
