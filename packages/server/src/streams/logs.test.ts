import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mask } from '../logs/mask/marks.ts'
import { type StreamServer, secretValue, streamServer } from './testing/stream-server.ts'

let server: StreamServer
beforeAll(async () => {
  server = await streamServer((kit) => ({
    replicas: 2,
    services: [
      kit.service({
        prints: [
          { stream: 'stdout', line: 'one' },
          { stream: 'stderr', line: `key ${secretValue}!` },
        ],
        counts: { line: 'tick', everyMs: 5 },
      }),
    ],
  }))
})
afterAll(() => server[Symbol.asyncDispose]())

const path = '/v1/tenants/shop/workloads/web/logs'
const get = (query: string, accept = '*/*', token = server.token('viewer')) =>
  fetch(`${server.address}${path}${query}`, { headers: { authorization: `Bearer ${token}`, accept } })

describe('GET …/logs', () => {
  it('is read as an async iterable, of every replica, without values of secrets', async () => {
    const seen = new Set<string>()
    for await (const log of server.as('viewer').tenant('shop').workloads.logs('web', { follow: true })) {
      if ('gap' in log) throw new Error(log.gap)
      expect(log).toMatchObject({ service: 'web', slot: 'a' })
      expect(log.line).not.toContain(secretValue)
      seen.add(`${log.replica} ${log.stream} ${log.line.replace(/\d+/, 'n')}`)
      if (seen.size === 6) break
    }
    const ofEach = (replica: number) => [
      `${replica} stdout one`,
      `${replica} stderr key ${mask}!`,
      `${replica} stdout tick n`,
    ]
    expect([...seen].sort()).toEqual([...ofEach(0), ...ofEach(1)].sort())
  })

  it('gives each line once and in order while it is followed', async () => {
    const numbers: number[] = []
    const { workloads } = server.as('viewer').tenant('shop')
    for await (const log of workloads.logs('web', { follow: true, replica: 1, since: '1h' })) {
      const number = 'line' in log ? /^tick (\d+)$/.exec(log.line)?.[1] : undefined
      if (number !== undefined) numbers.push(Number(number))
      if (numbers.length === 50) break
    }
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
  })

  it('ends by itself when nobody follows', async () => {
    const { workloads } = server.as('viewer').tenant('shop')
    const lines: unknown[] = []
    for await (const log of workloads.logs('web', { tail: 3 })) lines.push(log)
    expect(lines).toHaveLength(3)
    for await (const _ of workloads.logs('web', { previous: true })) throw new Error('there was none before')
  })

  it('is lines of JSON, or events where Accept says so', async () => {
    const lines = await get('?tail=2')
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const texts = (await lines.text()).trim().split('\n')
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(JSON.parse(text)).toMatchObject({ service: 'web', replica: expect.any(Number) })
    const events = await get('?tail=2', 'text/event-stream')
    expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect((await events.text()).replaceAll(/data: .*/g, 'data')).toBe(
      `${'event: line\ndata\n\n'.repeat(2)}event: end\ndata\n\n`,
    )
  })

  it.each(['?tail=-1', '?tail=x', '?since=yesterday', '?service=../x', '?replica=-1', '?follow=maybe', '?command=ls'])(
    'refuses %s',
    async (query) => {
      expect((await get(query)).status).toBe(400)
    },
  )

  it('is not there for those of another tenant, nor for what is not there', async () => {
    const foreign = await get('', '*/*', server.token('admin', 'bank'))
    expect(foreign.status).toBe(404)
    const { workloads } = server.as('viewer').tenant('shop')
    await expect(workloads.logs('none').next()).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('ends with the reason when its reader may no longer see it', async () => {
    const token = server.token('viewer').replace('xx', 'yy')
    const answer = await get('?follow=true&tail=1', '*/*', token)
    server.revoke(token)
    const text = await answer.text()
    expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toMatchObject({ fault: { reason: 'token_unknown' } })
  })
})
