import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Fault, publicFault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { ObjectChange } from '../schemas/list.ts'
import { silenceMs } from '../schemas/stream.ts'
import { sample } from '../testing/samples.ts'
import { createClient } from './create-client.ts'

/** Tells when the client waits for something, which it does by the clock, and whether only for time to pass. */
class CountingClock extends VirtualClock {
  armed = 0
  pausing = 0
  reads = 0

  override after(delayMs: number, task: () => void): () => void {
    this.armed++
    if (delayMs === silenceMs) this.reads++
    if (delayMs === answerMs || delayMs === silenceMs) return super.after(delayMs, task)
    this.pausing++
    let over = false
    const end = (): void => {
      if (!over) this.pausing--
      over = true
    }
    const cancel = super.after(delayMs, () => {
      end()
      task()
    })
    return () => {
      end()
      cancel()
    }
  }
}

/** How long the client gives the server for an answer. */
const answerMs = 30_001

/** What each connection gets, in order; the last one again for all that come after it. */
type Connection = (response: ServerResponse, request: IncomingMessage, clock: CountingClock) => void

let server: Server | undefined
/** Answers that are not finished, and whose reader is still there. */
const open = new Set<ServerResponse>()
afterEach(() => {
  server?.close()
  server?.closeAllConnections()
})

async function serve(...connections: Connection[]) {
  const asked: { since: string | null; lastEventId: string | undefined; url: string }[] = []
  const clock = new CountingClock()
  const made = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://test')
    const lastEventId = request.headers['last-event-id'] as string | undefined
    open.add(response.on('close', () => open.delete(response)))
    asked.push({ since: url.searchParams.get('since'), lastEventId, url: url.pathname })
    connections[Math.min(asked.length, connections.length) - 1]?.(response, request, clock)
  })
  server = made
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(made.address() as AddressInfo).port}`
  const { workloads } = createClient({ server: address, clock, random: () => 1, timeoutMs: answerMs }).tenant('shop')
  return { asked, clock, workloads, address }
}

const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })

const event = (change: ObjectChange<'Workload'>): string =>
  `id: ${change.resourceVersion}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`
const put = (version: number): ObjectChange<'Workload'> => ({
  type: 'put',
  object: sample('Workload', 'web', version),
  resourceVersion: version,
})
const bookmark = (version: number): ObjectChange<'Workload'> => ({ type: 'bookmark', resourceVersion: version })
const faultEventOf = (fault: Fault): string => `event: fault\ndata: ${JSON.stringify(publicFault(fault))}\n\n`

/** Sends these and ends in good order. */
const sends =
  (...changes: ObjectChange<'Workload'>[]): Connection =>
  (response) =>
    begin(response).end(changes.map(event).join(''))
/** Sends these, and is cut once they were read and the next is waited for. */
const cut =
  (...changes: ObjectChange<'Workload'>[]): Connection =>
  (response, _, clock) => {
    const { reads } = clock
    begin(response).write(changes.map(event).join('') || ': alive\n\n')
    const wait = (): unknown => (clock.reads < reads + 2 ? setTimeout(wait, 1) : response.socket?.destroy())
    wait()
  }
/** Sends these and stays. */
const stays =
  (...changes: ObjectChange<'Workload'>[]): Connection =>
  (response) =>
    begin(response).write(changes.map(event).join('') || ': alive\n\n')
const refuses =
  (fault: Fault): Connection =>
  (response) => {
    const problem = publicFault(fault)
    response.writeHead(problem.status, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify(problem))
  }

/** Lets virtual time pass whenever the client waits for nothing else, until the promise is settled. */
async function passing<T>(clock: CountingClock, work: Promise<T>): Promise<T> {
  let settled = false
  const done = work.finally(() => {
    settled = true
  })
  done.catch(() => undefined)
  while (!settled) {
    if (clock.pausing > 0) await clock.advance(1000)
    await new Promise<void>((resolve) => setTimeout(resolve, 1))
  }
  return done
}

async function take(
  changes: AsyncIterableIterator<ObjectChange<'Workload'>, undefined>,
  count: number,
): Promise<number[]> {
  const versions: number[] = []
  for await (const { resourceVersion } of changes) {
    versions.push(resourceVersion)
    if (versions.length === count) break
  }
  return versions
}

describe('a watch', () => {
  it('goes on after each cut right where it was, without a gap or a repeat', async () => {
    const { asked, clock, workloads } = await serve(
      cut(bookmark(5), put(6)),
      sends(put(7), put(9)),
      cut(),
      stays(put(10), put(12)),
    )
    expect(await passing(clock, take(workloads.watch({ since: 4 }), 6))).toEqual([5, 6, 7, 9, 10, 12])
    expect(asked.map(({ lastEventId }) => lastEventId)).toEqual([undefined, '6', '9', '9'])
    expect(asked.every(({ since }) => since === '4')).toBe(true)
    expect(clock.pending).toBe(0)
  })

  it('comes back also while the server is restarting', async () => {
    const { asked, clock, workloads } = await serve(
      cut(bookmark(5)),
      refuses(new Fault('shutting_down', 'restarting')),
      (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>proxy</h1>'),
      (_, request) => request.socket.destroy(),
      stays(put(6)),
    )
    expect(await passing(clock, take(workloads.watch(), 2))).toEqual([5, 6])
    expect(asked).toHaveLength(5)
  })

  it('comes back after it was dropped for being slow', async () => {
    const { asked, clock, workloads } = await serve(
      (response) => begin(response).end(event(put(5)) + faultEventOf(new Fault('slow_reader', 'too slow'))),
      stays(put(6)),
    )
    expect(await passing(clock, take(workloads.watch(), 2))).toEqual([5, 6])
    expect(asked[1]?.lastEventId).toBe('5')
  })

  it('waits as long as it is told to', async () => {
    const busy = refuses(new Fault('too_many_requests', 'later', { retryAfterMs: 60_000 }))
    const { asked, clock, workloads } = await serve(cut(bookmark(5)), busy, stays(put(6)))
    const taken = take(workloads.watch(), 2)
    const start = clock.now()
    expect(await passing(clock, taken)).toEqual([5, 6])
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000)
    expect(asked).toHaveLength(3)
  })

  it.each<[string, Connection]>([
    ['at once', refuses(new Fault('version_expired', 'version 4 is no longer known'))],
    ['on the way', (response) => begin(response).end(faultEventOf(new Fault('version_expired', 'compacted')))],
  ])('that is too old ends so, and skips nothing: %s', async (_, connection) => {
    const { asked, clock, workloads } = await serve(cut(put(5)), connection)
    const watch = workloads.watch({ since: 4 })
    expect((await watch.next()).value?.resourceVersion).toBe(5)
    await expect(passing(clock, watch.next())).rejects.toMatchObject({ kind: 'expired', reason: 'version_expired' })
    expect(asked).toHaveLength(2)
  })

  it('ends when it is no longer allowed', async () => {
    const { asked, clock, workloads } = await serve(cut(put(5)), refuses(new Fault('token_unknown', 'revoked')))
    const watch = workloads.watch()
    await watch.next()
    await expect(passing(clock, watch.next())).rejects.toMatchObject({ kind: 'unauthenticated' })
    expect(asked).toHaveLength(2)
  })

  it('of a server that was never there fails at once', async () => {
    const { workloads, address } = await serve(stays())
    server?.close()
    const failed = workloads.watch({ since: 3 }).next()
    await expect(failed).rejects.toMatchObject({
      reason: 'server_unreachable',
      message: expect.stringContaining(address),
    })
  })

  it('that was cut before it had a place to go on from says so, instead of leaving something out', async () => {
    const { asked, clock, workloads } = await serve(cut())
    await expect(passing(clock, workloads.watch().next())).rejects.toMatchObject({ kind: 'unavailable' })
    expect(asked).toHaveLength(1)
  })

  it('gives up in the end', async () => {
    const { asked, clock, workloads } = await serve(cut(put(5)), (_, request) => request.socket.destroy())
    const watch = workloads.watch()
    await watch.next()
    const start = clock.now()
    await expect(passing(clock, watch.next())).rejects.toMatchObject({ reason: 'server_unreachable' })
    expect(clock.now() - start).toBeGreaterThan(300_000)
    expect(asked.length).toBeGreaterThan(10)
    expect(clock.pending).toBe(0)
  })

  it('takes a silent connection for dead, but not one that only says that it is there', async () => {
    let beats: ServerResponse | undefined
    const { asked, clock, workloads } = await serve(
      (response) => {
        beats = response
        begin(response).write(event(bookmark(5)))
      },
      stays(put(6)),
    )
    const watch = workloads.watch()
    expect((await watch.next()).value?.resourceVersion).toBe(5)
    const reading = clock.armed
    const next = watch.next()
    await untilArmed(clock, reading)
    for (let at = 0; at < 3; at++) {
      await clock.advance(silenceMs - 1000)
      const before = clock.armed
      beats?.write(': alive\n\n')
      await untilArmed(clock, before)
    }
    expect(asked).toHaveLength(1)
    await clock.advance(silenceMs)
    expect((await passing(clock, next)).value?.resourceVersion).toBe(6)
    expect(asked[1]?.lastEventId).toBe('5')
  })

  it('reads events that come byte by byte', async () => {
    const bytes = new TextEncoder().encode(event(put(5)).replaceAll('web', 'wéb'))
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      },
    })
    const headers = { 'content-type': 'text/event-stream' }
    const fetch = () => Promise.resolve(new Response(body, { headers }))
    const client = createClient({ server: 'http://gantry.internal', fetch })
    for await (const change of client.tenant('shop').workloads.watch()) {
      expect(change).toMatchObject({ type: 'put', object: { metadata: { name: 'wéb' } } })
      break
    }
  })

  it('does not take a busy reader for a silent server', async () => {
    const { clock, workloads } = await serve(cut(put(5)), stays(put(6)))
    const watch = workloads.watch()
    expect((await watch.next()).value?.resourceVersion).toBe(5)
    await clock.advance(3_600_000)
    expect((await passing(clock, watch.next())).value?.resourceVersion).toBe(6)
  })

  it.each<[string, string]>([
    ['that is no JSON', 'id: 6\nevent: put\ndata: {"type"\n\n'],
    ['of another shape', 'id: 6\nevent: put\ndata: {"type":"put","resourceVersion":6}\n\n'],
    ['that nobody knows', 'id: 6\nevent: odd\ndata: {"type":"odd"}\n\n'],
  ])('ends at an event %s, as all after it would have a hole before them', async (_, text) => {
    const { asked, clock, workloads } = await serve((response) => begin(response).end(event(put(5)) + text))
    const watch = workloads.watch()
    await watch.next()
    await expect(passing(clock, watch.next())).rejects.toMatchObject({ reason: 'bad_answer' })
    expect(asked).toHaveLength(1)
  })

  it('answered with a list instead of a stream says so', async () => {
    const { clock, workloads } = await serve((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[],"resourceVersion":1}'),
    )
    await expect(passing(clock, workloads.watch().next())).rejects.toMatchObject({ reason: 'bad_answer' })
  })

  it.each<[string, Connection[]]>([
    ['while it reads', [stays(bookmark(5))]],
    ['while it waits to come back', [cut(bookmark(5)), (_, request) => request.socket.destroy()]],
  ])('ends with the caller’s own reason %s, and lets go of the connection', async (_, connections) => {
    const { clock, workloads } = await serve(...connections)
    const own = new AbortController()
    const reason = new Error('enough')
    const watch = workloads.watch({ signal: own.signal })
    await watch.next()
    const before = clock.armed
    const next = watch.next()
    next.catch(() => undefined)
    await untilArmed(clock, before)
    own.abort(reason)
    await expect(next).rejects.toBe(reason)
    expect(clock.pending).toBe(0)
    await allLetGo()
  })

  it('lets go of the connection when nobody reads any more', async () => {
    const { clock, workloads } = await serve(stays(bookmark(5), put(6)))
    for await (const change of workloads.watch()) {
      expect(change.resourceVersion).toBe(5)
      break
    }
    expect(clock.pending).toBe(0)
    await allLetGo()
  })
})

/** Until the client waits for one more thing than before. */
async function untilArmed(clock: CountingClock, before: number): Promise<void> {
  while (clock.armed === before) await new Promise<void>((resolve) => setTimeout(resolve, 1))
}

async function allLetGo(): Promise<void> {
  while (open.size > 0) await new Promise<void>((resolve) => setTimeout(resolve, 5))
}
