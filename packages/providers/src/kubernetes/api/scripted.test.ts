import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Clock, systemClock } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import type { KubernetesApi, WatchEvent } from './api.ts'
import { connectKubernetes } from './connect.ts'
import { resources } from './resources.ts'
import { type Certificate, type Scripted, sayJson, scripted, selfSigned } from './testing/scripted-server.ts'
import type { KubeObject } from './types/meta.ts'

const call = { signal: AbortSignal.timeout(900_000) }
const of = { resource: resources.configMap, namespace: 'x' }

const item = (name: string): object => ({ metadata: { name, resourceVersion: '5' } })
const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`
const expired = { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, message: 'too old resource version' }

type Answer = (url: URL, response: ServerResponse, request: IncomingMessage) => void

describe('a server that does what a script says', () => {
  let certificate: Certificate
  let missing = ''
  const running: Scripted[] = []
  const apis: KubernetesApi[] = []
  beforeAll(() => {
    try {
      certificate = selfSigned()
    } catch (error) {
      missing = `openssl made no certificate: ${String(error)}`
    }
  })
  afterEach(async () => {
    for (const api of apis.splice(0)) api.close()
    await Promise.all(running.splice(0).map((each) => each.end()))
  })

  async function play(answer: Answer, clock: Clock = systemClock): Promise<{ api: KubernetesApi; server: Scripted }> {
    const server = await scripted(certificate, (request, response) => {
      const url = new URL(request.url ?? '', 'https://x')
      if (url.pathname === '/version') sayJson(response, { gitVersion: 'v1.34.0', major: '1', minor: '34' })
      else answer(url, response, request)
    })
    running.push(server)
    const api = await connectKubernetes(server.config, call, { clock, env: {} })
    apis.push(api)
    return { api, server }
  }

  it('begins a list anew, and all at once, where a page of it has expired', async ({ skip }) => {
    if (missing) return skip(missing)
    const asked: string[] = []
    const { api } = await play((url, response) => {
      const [limit, next] = [url.searchParams.get('limit'), url.searchParams.get('continue')]
      asked.push(`${limit} ${next}`)
      if (next !== null) sayJson(response, expired, 410)
      else if (limit !== null)
        sayJson(response, { metadata: { resourceVersion: '1', continue: 'more' }, items: [item('old')] })
      else sayJson(response, { metadata: { resourceVersion: '2' }, items: [item('a'), item('b')] })
    })
    const { items, metadata } = await api.objects.list(of, {}, call)
    expect(asked).toEqual(['500 null', '500 more', 'null null'])
    expect(items.map(({ metadata: { name } }) => name)).toEqual(['a', 'b'])
    expect(metadata).toEqual({ resourceVersion: '2' })
  })

  it('is asked for the next page while one is still coming, and for no more than that', async ({ skip }) => {
    if (missing) return skip(missing)
    const asked: string[] = []
    const finish = new Map<string, () => void>()
    const nextOf: Record<string, string> = { first: 'two', two: 'three', three: 'four', four: '' }
    const { api } = await play((url, response) => {
      const page = url.searchParams.get('continue') ?? 'first'
      asked.push(page)
      const metadata = JSON.stringify({ resourceVersion: '1', continue: nextOf[page] })
      response.write(`{"kind":"ConfigMapList","apiVersion":"v1","metadata":${metadata},"items":[`)
      finish.set(page, () => void response.end(`${JSON.stringify(item(page))}]}`))
    })
    const listing = api.objects.list(of, {}, call)
    await vi.waitUntil(() => asked.length === 2)
    // The second has begun; the third is asked for only when the first is read.
    finish.get('two')?.()
    await api.discovery.version(call)
    expect(asked).toEqual(['first', 'two'])
    finish.get('first')?.()
    await vi.waitUntil(() => asked.length === 4)
    finish.get('three')?.()
    finish.get('four')?.()
    expect((await listing).items.map(({ metadata: { name } }) => name)).toEqual(['first', 'two', 'three', 'four'])
  })

  it('tells bookmarks, and that a version is history in the middle of a watch', async ({ skip }) => {
    if (missing) return skip(missing)
    const asked: string[] = []
    const { api } = await play((url, response) => {
      asked.push(url.search)
      response.write(event('ADDED', item('a')).slice(0, 20))
      response.write(event('ADDED', item('a')).slice(20) + event('BOOKMARK', { metadata: { resourceVersion: '9' } }))
      response.end(event('ERROR', expired))
    })
    const seen: string[] = []
    const watching = (async () => {
      for await (const each of await api.objects.watch(of, { resourceVersion: '4', labelSelector: 'a=b' }, call)) {
        seen.push(
          each.type === 'bookmark' ? `bookmark ${each.resourceVersion}` : `${each.type} ${each.object.metadata.name}`,
        )
      }
    })()
    await expect(watching).rejects.toMatchObject({ reason: 'version_expired' })
    expect(seen).toEqual(['added a', 'bookmark 9'])
    expect(asked).toEqual(['?labelSelector=a%3Db&resourceVersion=4&watch=true&allowWatchBookmarks=true'])
  })

  it('ends a watch as usual, or breaks it, and both are told apart', async ({ skip }) => {
    if (missing) return skip(missing)
    const { api } = await play((url, response) => {
      response.write(event('ADDED', item('a')))
      if (url.searchParams.get('resourceVersion') === '1') response.end()
      else setImmediate(() => response.destroy())
    })
    const all = async (resourceVersion: string): Promise<number> => {
      const found: WatchEvent<KubeObject>[] = []
      for await (const each of await api.objects.watch(of, { resourceVersion }, call)) found.push(each)
      return found.length
    }
    expect(await all('1')).toBe(1)
    await expect(all('2')).rejects.toMatchObject({ reason: 'engine_unreachable' })
  })

  it('is asked again where a watch is silent for longer than bookmarks are apart', async ({ skip }) => {
    if (missing) return skip(missing)
    const clock = new VirtualClock()
    let say = (): void => undefined
    const { api } = await play((_, response) => {
      response.writeHead(200).flushHeaders()
      say = () => void response.write(event('ADDED', item('a')))
    }, clock)
    const events = (await api.objects.watch(of, { resourceVersion: '1' }, call))[Symbol.asyncIterator]()
    const first = events.next()
    await clock.advance(80_000)
    say()
    expect((await first).done).toBe(false)
    const second = events.next()
    await clock.advance(89_000)
    say()
    expect((await second).done).toBe(false)
    const last = events.next()
    await clock.advance(90_000)
    expect(await last).toEqual({ done: true, value: undefined })
    expect(clock.pending).toBe(0)
  })

  it('waits for a reader of a watch who is slow, and leaves no connection behind one who left', async ({ skip }) => {
    if (missing) return skip(missing)
    let sent = 0
    const line = event('ADDED', { ...item('a'), data: { x: 'x'.repeat(64 * 1024) } })
    const { api, server } = await play((_, response) => {
      const more = (): void => {
        while (!response.destroyed && sent < 2_000) {
          sent += 1
          if (!response.write(line)) return void response.once('drain', more)
        }
      }
      more()
    })
    const events = (await api.objects.watch(of, { resourceVersion: '1' }, call))[Symbol.asyncIterator]()
    await events.next()
    let before = -1
    await vi.waitUntil(
      () => {
        const stands = sent === before
        before = sent
        return stands
      },
      { interval: 500, timeout: 30_000 },
    )
    expect(sent).toBeLessThan(1_000)
    for (let read = 0; read < 1_000; read += 1) await events.next()
    expect(sent).toBeGreaterThan(1_000)
    await events.return?.()
    await vi.waitUntil(() => server.connections.size <= 1, { timeout: 30_000 })
  })

  it('is asked for its kinds group by group where it knows no other way, and names those that are away', async ({
    skip,
  }) => {
    if (missing) return skip(missing)
    const asked: string[] = []
    const list = (names: readonly string[]): object => ({
      kind: 'APIResourceList',
      resources: names.map((name) => ({
        name: `${name.toLowerCase()}s`,
        kind: name,
        namespaced: true,
        verbs: ['list'],
      })),
    })
    let young = false
    const answers: Record<string, () => object> = {
      '/api': () => ({ kind: 'APIVersions', versions: ['v1'] }),
      '/api/v1': () => list(['Pod']),
      '/apis': () => ({
        kind: 'APIGroupList',
        groups: [
          { name: 'e.example', versions: [{ version: 'v1' }, { version: 'v2' }], preferredVersion: { version: 'v2' } },
          { name: 'away.example', versions: [{ version: 'v1' }] },
        ],
      }),
      '/apis/e.example/v1': () => list(['Thing']),
      '/apis/e.example/v2': () => list(young ? ['Thing', 'Young'] : ['Thing']),
    }
    const { api } = await play((url, response) => {
      asked.push(url.pathname)
      const found = answers[url.pathname]
      if (found) sayJson(response, found())
      else sayJson(response, { kind: 'Status', message: 'away' }, 503)
    })
    const { discovery } = api
    const both = await Promise.all([discovery.all(call), discovery.resource('e.example/v1', 'Thing', call)])
    expect(both[0].resources.map(({ version, kind }) => `${version} ${kind}`)).toEqual(['v1 Pod', 'v2 Thing'])
    expect(both[0].unavailable).toEqual(['away.example/v1'])
    expect(both[1]).toMatchObject({ plural: 'things', version: 'v1' })
    expect(asked).toHaveLength(6)
    young = true
    expect(await discovery.resource('e.example/v2', 'Young', call)).toMatchObject({ kind: 'Young' })
    expect(asked).toHaveLength(12)
    expect(await discovery.resource('v1', 'Pod', call)).toMatchObject({ kind: 'Pod' })
    expect(asked).toHaveLength(12)
    expect(await discovery.resource('v1', 'Nothing', call)).toBeUndefined()
    expect(asked).toHaveLength(18)
  })

  it('cannot end the input of a command where it speaks an old protocol only, and says how it ended', async ({
    skip,
  }) => {
    if (missing) return skip(missing)
    const { api, server } = await play((_, response) => {
      const running = [{ name: 'c', state: { running: {} } }]
      sayJson(response, { metadata: { name: 'p' }, status: { containerStatuses: running } })
    })
    const sockets = new WebSocketServer({
      server: server.server,
      handleProtocols: (offered) => (offered.has('v4.channel.k8s.io') ? 'v4.channel.k8s.io' : false),
    })
    const failure = {
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '4' }] },
    }
    sockets.on('connection', (socket) => {
      socket.send(Buffer.concat([Buffer.from([1]), Buffer.from('out')]))
      socket.on('message', () => {
        socket.send(Buffer.concat([Buffer.from([3]), Buffer.from(JSON.stringify(failure))]))
        socket.close()
      })
    })
    const at = { namespace: 'x', pod: 'p', container: 'c' }
    const session = await api.pods.exec(at, { argv: ['x'], stdin: true, tty: false }, call)
    await expect(session.endInput()).rejects.toMatchObject({ reason: 'capability_missing' })
    await session.write(Buffer.from('go'))
    const out: string[] = []
    for await (const chunk of session.stdout) out.push(Buffer.from(chunk).toString())
    expect(out).toEqual(['out'])
    expect(await session.exit).toBe(4)
    const lost = await api.pods.exec(at, { argv: ['x'], stdin: true, tty: false }, call)
    for (const socket of sockets.clients) socket.terminate()
    await expect(lost.exit).rejects.toMatchObject({ reason: 'engine_unreachable' })
    sockets.close()
  })

  it('is not read further than a slow reader of a command follows', async ({ skip }) => {
    if (missing) return skip(missing)
    const { api, server } = await play((_, response) => {
      const running = [{ name: 'c', state: { running: {} } }]
      sayJson(response, { metadata: { name: 'p' }, status: { containerStatuses: running } })
    })
    const sockets = new WebSocketServer({ server: server.server, handleProtocols: () => 'v5.channel.k8s.io' })
    const most = 3_000
    const piece = Buffer.concat([Buffer.from([1]), Buffer.alloc(32 * 1024)])
    let sent = 0
    sockets.on('connection', async (socket) => {
      while (sent < most && socket.readyState === socket.OPEN) {
        await new Promise<void>((resolve) => socket.send(piece, () => resolve()))
        sent += 1
      }
      socket.close()
    })
    const at = { namespace: 'x', pod: 'p', container: 'c' }
    const session = await api.pods.exec(at, { argv: ['x'], stdin: false, tty: false }, call)
    let before = -1
    const stands = (): boolean => {
      const same = sent === before
      before = sent
      return same
    }
    await vi.waitUntil(stands, { interval: 500, timeout: 30_000 })
    expect(sent).toBeLessThan(most)
    let read = 0
    const reading = (async () => {
      for await (const chunk of session.stdout) read += chunk.length
    })()
    // It ended without a word about how.
    await expect(reading).rejects.toMatchObject({ reason: 'engine_unreachable' })
    expect(read).toBe(most * 32 * 1024)
    sockets.close()
  })
})
