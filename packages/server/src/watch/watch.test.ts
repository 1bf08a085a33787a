import { createClient } from '@gantry/api'
import type { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StreamEvent } from '../app/request.ts'
import { type Plane, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'
import { EventStream } from './event-stream.ts'

let plane: Plane
let address: string

beforeAll(async () => {
  plane = await startPlane({ limits: { recheckMs: 50 } })
  address = plane.address
  await plane.client.tenants.put(tenantOf('shop'))
})
afterAll(() => plane.dispose())

async function take<T>(changes: AsyncIterator<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  while (taken.length < count) {
    const next = await changes.next()
    if (next.done) break
    taken.push(next.value)
  }
  return taken
}

/** What is told now and then to keep a quiet watch going is none. */
async function nextChange<T extends { readonly type: string }>(changes: AsyncIterator<T>): Promise<IteratorResult<T>> {
  for (;;) {
    const next = await changes.next()
    if (next.done || next.value.type !== 'bookmark') return next
  }
}

describe('a watch', () => {
  it('tells every change in order, from where it was told to', async () => {
    const { workloads } = plane.client.tenant('shop')
    const { metadata } = await workloads.put(workloadOf('a'))
    const changes = workloads.watch({ since: metadata.resourceVersion })
    await workloads.patch('a', { spec: { replicas: 2 } })
    await workloads.delete('a')
    const told = (await take(changes, 3)).filter(({ type }) => type !== 'bookmark').slice(0, 2)
    expect(told.map(({ type }) => type)).toEqual(['put', 'gone'])
    await changes.return?.()
  })

  it('goes on after the last event that was seen, without a gap or a repeat', async () => {
    const { workloads } = plane.client.tenant('shop')
    const { metadata } = await workloads.put(workloadOf('resume'))
    for (const replicas of [2, 3, 4]) await workloads.patch('resume', { spec: { replicas } })
    const seen: number[] = []
    let since = metadata.resourceVersion
    for (let connection = 0; connection < 3; connection += 1) {
      const { token } = await plane.as('shop', 'viewer')
      const stop = new AbortController()
      const answer = await plane.fetch('http://gantry.internal/v1/tenants/shop/workloads?watch=true', {
        headers: { authorization: `Bearer ${token}`, 'last-event-id': String(since) },
        signal: stop.signal,
      })
      const reader = answer.body?.getReader()
      const text = new TextDecoder().decode((await reader?.read())?.value)
      const change = JSON.parse(/data: (.*)/.exec(text)?.[1] ?? '') as { object: { spec: { replicas: number } } }
      seen.push(change.object.spec.replicas)
      since = Number(/id: (\d+)/.exec(text)?.[1])
      stop.abort()
    }
    expect(seen).toEqual([2, 3, 4])
  })

  it('answers a version that is not known with expired', async () => {
    const { token } = await plane.as('shop', 'viewer')
    const path = '/v1/tenants/shop/workloads?watch=true&since=999999'
    expect(await plane.send('GET', path, { token })).toMatchObject({ status: 410, json: { kind: 'expired' } })
  })

  it('ends when its token is revoked', async () => {
    const { token } = await plane.client.tenant('shop').tokens.create({ name: 'short', role: 'viewer' })
    const client = createClient({ server: address, token })
    const changes = client.tenant('shop').workloads.watch()
    expect((await changes.next()).value).toMatchObject({ type: 'bookmark' })
    await plane.client.tenant('shop').tokens.revoke('short')
    await expect(take(changes, 10)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })

  it('is told to a thousand watchers at once, each change exactly once', async () => {
    const { token } = await plane.as('shop', 'viewer')
    const client = createClient({ server: address, token })
    const watchers = Array.from({ length: 1000 }, () => client.tenant('shop').workloads.watch())
    // Not all in the same moment: on a busy machine the server would rightly let go of some who took too long to ask.
    for (let at = 0; at < watchers.length; at += 100) {
      await Promise.all(watchers.slice(at, at + 100).map((watcher) => watcher.next()))
    }
    await plane.client.tenant('shop').workloads.put(workloadOf('seen'))
    const told = await Promise.all(watchers.map(nextChange))
    const names = told.map(({ value }) => (value?.type === 'put' ? value.object.metadata.name : value?.type))
    expect(new Set(names)).toEqual(new Set(['seen']))
    await Promise.all(watchers.map((watcher) => watcher.return?.()))
  })
})

describe('a stream', () => {
  it('asks for no more than its reader takes, and lets go of one that takes nothing, saying why', async () => {
    const clock = new VirtualClock()
    let asked = 0
    const events: AsyncIterable<StreamEvent> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          asked += 1
          return { done: false, value: { id: String(asked), event: 'put', data: 'x'.repeat(10_000) } }
        },
      }),
    }
    let why: Fault | undefined
    const ended = new Promise<void>((resolve) => {
      const stream = new EventStream(events, {
        clock,
        stalledMs: 1000,
        requestId: 'r',
        ended: (fault) => {
          why = fault
          resolve()
        },
      })
      stream.read(0)
    })
    await clock.advance(999)
    expect([asked, why]).toEqual([2, undefined])
    await clock.advance(1)
    await ended
    expect(why).toMatchObject({ reason: 'slow_reader' })
    expect(asked).toBe(2)
  })
})
