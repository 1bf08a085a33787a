/** The server's side of the edge against a real edge, real backends and a real store; only the engines are made up. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deferred, type Fault, instanceKind, type ObjectOf, rolloutKind, systemClock, workloadKind } from '@gantry/core'
import { controlPath, type Edge, type EdgeLink, startEdge } from '@gantry/edge'
import { ask, backend, keeper, never, type TestBackend, until } from '@gantry/edge/testing'
import type { Observation, Observed, Ref, Replica } from '@gantry/providers'
import { overlay } from '@gantry/providers/testing'
import { openStore, type Store, systemScope } from '@gantry/store'
import { describe, expect, it } from 'vitest'
import type { EngineHub, Sight } from '../engines/engine-hub.ts'
import { openEdgeClient } from './edge-client.ts'
import { type EdgeTraffic, edgeTraffic } from './traffic.ts'

const kept = keeper()
const scope = systemScope()
const host = 'web.shop.localhost'

class FakeHub implements Pick<EngineHub, 'sight' | 'subscribe'> {
  readonly #sights = new Map<string, Observed>()
  readonly #listeners = new Set<(provider: string, seen: Observation) => void>()

  sight(_: string, { uid, slot }: Ref): Sight {
    return { state: 'seen', observed: this.#sights.get(`${uid}/${slot}`), at: new Date() }
  }

  subscribe(listener: (provider: string, seen: Observation) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  see(ref: Ref, replicas: readonly Replica[]): void {
    const instance = { ref, replicas, endpoints: [], drift: [], notEnforced: [], at: new Date() }
    this.#sights.set(`${ref.uid}/${ref.slot}`, instance)
    for (const listener of this.#listeners) listener('here', { type: 'changed', instance })
  }
}

type Stage = {
  readonly store: Store
  readonly hub: FakeHub
  readonly edge: Edge
  readonly port: number
  readonly dataDir: string
  readonly troubles: Fault[]
  readonly ref: Ref
  traffic(wrap?: (link: EdgeLink) => EdgeLink): EdgeTraffic
}

async function stage(): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gantry-edge-'))
  kept({ close: () => rm(dataDir, { recursive: true, force: true }) })
  const edge = await startEdge({ dataDir, listen: { host: '127.0.0.1', port: 0 }, clock: systemClock })
  kept({ close: () => edge.stop(0) })
  const port = await until('the edge listens', () => edge.state().listening?.port)
  const store = kept(await openStore({ database: 'sqlite::memory:', clock: systemClock }, never))
  await store.write(scope, [{ op: 'create', draft: { key: { kind: 'Tenant', name: 'shop' }, spec: {} } }], {}, never)
  const troubles: Fault[] = []
  const hub = new FakeHub()
  const uid = await workload(store)
  const traffic = (wrap?: (link: EdgeLink) => EdgeLink): EdgeTraffic => {
    const onTrouble = (fault: Fault): void => void troubles.push(fault)
    const client = openEdgeClient({ path: controlPath(dataDir), clock: systemClock, onTrouble, wrap })
    const options = { store, scope, clock: systemClock, random: Math.random, client, onTrouble }
    const made = edgeTraffic({ ...options, hub: hub as unknown as EngineHub })
    made.start()
    kept({ close: async () => void (await Promise.all([made.stop(), client.stop()])) })
    return made
  }
  return {
    store,
    hub,
    edge,
    port,
    dataDir,
    troubles,
    traffic,
    ref: { tenant: 'shop', workload: 'web', uid, slot: 'a' },
  }
}

async function workload(store: Store): Promise<string> {
  const services = [{ name: 'web', image: 'app:1', ports: [{ name: 'http', port: 8080 }] }]
  const written = { apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name: 'web' }, spec: { services } }
  const key = { kind: 'Workload', tenant: 'shop', name: 'web' }
  const draft = { key, spec: workloadKind.parse(written).spec }
  await store.write(scope, [{ op: 'create', draft }], {}, never)
  const made = await store.read(scope, key, never)
  const uid = made?.metadata.uid ?? ''
  await instance(store, uid, 'rolling')
  return uid
}

async function instance(store: Store, uid: string, type: 'rolling' | 'recreate'): Promise<void> {
  const update =
    type === 'rolling' ? { type, maxSurge: 1, maxUnavailable: 0, minReadySeconds: 0 } : { type, minReadySeconds: 0 }
  const spec = {
    ...{
      workload: 'web',
      uid,
      slot: 'a',
      provider: 'here',
      release: 1,
      replicas: 1,
      run: 'running',
      type: 'deployment',
    },
    ...{ restart: {}, update, stopGraceSeconds: 1, expose: 'none', labels: {} },
  }
  const written = { apiVersion: 'gantry/v1', kind: 'Instance', metadata: { name: 'web-a' }, spec }
  const draft = { key: { kind: 'Instance', tenant: 'shop', name: 'web-a' }, spec: instanceKind.parse(written).spec }
  await store.write(scope, [{ op: 'replace', draft, ifAbsent: 'create' }], {}, never)
}

function replica({ port }: TestBackend, engineId: string, ready: boolean | undefined = true): Replica {
  const dial = { host: '127.0.0.1', port }
  const endpoint = { service: 'web', port: 'http', protocol: 'http', stable: false, public: false, via: 'direct', dial }
  const endpoints = [endpoint as Replica['endpoints'][number]]
  return { engineId, index: 0, release: 'v1', specHash: 'h', ready, terminating: false, services: {}, endpoints }
}

async function rolloutOf(store: Store, { uid }: Ref) {
  const key = { kind: 'Rollout', tenant: 'shop', name: 'web-r1' }
  const plan = { workload: 'web', number: 1, release: 1, trigger: 'create', provider: 'here', type: 'deployment' }
  const spec = { ...plan, strategy: { type: 'recreate' } }
  const written = { apiVersion: 'gantry/v1', kind: 'Rollout', metadata: { name: 'web-r1' }, spec }
  const ownerRefs = [{ kind: 'Workload', name: 'web', uid }]
  const draft = { key, spec: rolloutKind.parse(written).spec, ownerRefs }
  await store.write(scope, [{ op: 'create', draft }], {}, never)
  const rollout = async () => (await store.read(scope, key, never)) as ObjectOf<'Rollout'>
  const weigh = async (weights: { readonly a: number; readonly b: number }): Promise<void> => {
    const ifVersion = (await rollout()).metadata.resourceVersion
    await store.write(scope, [{ op: 'status', key, status: { weights }, ifVersion }], {}, never)
  }
  return { rollout, weigh }
}

const answers = (port: number) => ask(port, '/', { to: host })

describe('routing', () => {
  it('sends requests to what is ready, and follows what is seen', async () => {
    const { hub, port, ref, traffic, troubles } = await stage()
    const [one, two] = [kept(await backend('one')), kept(await backend('two'))]
    hub.see(ref, [replica(one, 'r1')])
    traffic()
    await until('it answers', async () => (await answers(port)).body === 'one')
    hub.see(ref, [replica(one, 'r1', false), replica(two, 'r2')])
    await until('the other answers', async () => (await answers(port)).body === 'two')
    hub.see(ref, [])
    const page = await until('nobody does', async () => {
      const answer = await answers(port)
      return answer.status === 503 && answer
    })
    expect(JSON.parse(page.body)).toMatchObject({
      workload: { name: 'web', tenant: 'shop' },
      why: 'No replica is ready.',
    })
    expect(troubles).toEqual([])
  })

  it('says when the edge does what a rollout said, and tells the rollout', async () => {
    const { store, hub, ref, traffic } = await stage()
    hub.see(ref, [replica(kept(await backend('one')), 'r1')])
    const told: string[] = []
    const routing = traffic()
    routing.subscribe(({ name }) => void told.push(name))
    const { rollout, weigh } = await rolloutOf(store, ref)
    await until('the edge has a table', () => routing.inForce.number > 0)
    expect(routing.look(await rollout()).acknowledged).toBe(false)
    await weigh({ a: 30, b: 70 })
    expect(routing.look(await rollout()).acknowledged).toBe(false)
    await until('it is acknowledged', async () => routing.look(await rollout()).acknowledged)
    expect(told).toContain('web-r1')
  })

  it('says that it does only when those that are seen get requests, and tells the rollout then', async () => {
    const { store, hub, port, ref, traffic } = await stage()
    let gate: Promise<unknown> = Promise.resolve()
    const routing = traffic((link) =>
      overlay(link, {
        swap: async (table, call) => {
          await gate
          return await link.swap(table, call)
        },
      }),
    )
    const { rollout, weigh } = await rolloutOf(store, ref)
    await weigh({ a: 100, b: 0 })
    // Nobody is there whom requests could be sent to: that is no reason to wait.
    await until('it is acknowledged', async () => routing.look(await rollout()).acknowledged)
    const told: string[] = []
    routing.subscribe(({ name }) => void told.push(name))
    const held = deferred<void>()
    gate = held.promise
    hub.see(ref, [replica(kept(await backend('one')), 'r1')])
    expect(routing.look(await rollout()).acknowledged).toBe(false)
    expect(told).toEqual([])
    held.resolve()
    await until('it is told', () => told.includes('web-r1'))
    expect(routing.look(await rollout()).acknowledged).toBe(true)
    expect((await answers(port)).body).toBe('one')
  })

  it('lets a replica go only when another is routed to, the edge knows, and nothing is in flight', async () => {
    const { hub, port, ref, traffic } = await stage()
    let finish: () => void = () => undefined
    const slow = kept(
      await backend('slow', (_, response) => {
        finish = () => void response.end('done')
      }),
    )
    const other = kept(await backend('other'))
    const leaving = replica(slow, 'r1')
    hub.see(ref, [leaving])
    const routing = traffic()
    const pass = () => routing.routedOut(ref, leaving, 60_000, never)
    await until('it is routed to', () => routing.inForce.routes[0]?.slots[0]?.backends.length === 1)
    const pending = answers(port)
    await until('a request is in flight', () => slow.seen.length === 1)
    expect(await pass()).toMatchObject({ state: 'yield', reason: 'another replica to be routed to' })
    expect(routing.inForce.routes[0]?.slots[0]?.backends).toEqual(['r1/web/http'])
    hub.see(ref, [leaving, replica(other, 'r2')])
    await until('only what is in flight is left', async () => {
      const now = await pass()
      return now.state === 'yield' && now.reason === '1 requests in flight'
    })
    for (let turn = 0; turn < 4; turn++) expect((await answers(port)).body).toBe('other')
    finish()
    expect((await pending).body).toBe('done')
    await until('it may go', async () => (await pass()).state === 'done')
  })

  it('lets one go at once where nobody else is to answer meanwhile, and any when its grace is over', async () => {
    const { store, hub, ref, traffic } = await stage()
    const leaving = replica(kept(await backend('one')), 'r1')
    hub.see(ref, [leaving])
    const routing = traffic()
    await until('it is routed to', () => routing.inForce.routes[0]?.slots[0]?.backends.length === 1)
    expect(await routing.routedOut(ref, { ...leaving, engineId: 'late' }, 0, never)).toEqual({ state: 'done' })
    await instance(store, ref.uid, 'recreate')
    await until('it may go', async () => (await routing.routedOut(ref, leaving, 60_000, never)).state === 'done')
    expect(routing.inForce.routes[0]?.slots[0]?.backends).toEqual([])
  })

  it('lets nobody go whom a table that is on its way brings in', async () => {
    const { hub, ref, traffic } = await stage()
    const [one, two] = [replica(kept(await backend('one')), 'r1'), replica(kept(await backend('two')), 'r2')]
    hub.see(ref, [one])
    let held: Promise<void> | undefined
    const late = (link: EdgeLink): EdgeLink =>
      overlay(link, {
        swap: async (table, call) => {
          await held
          return await link.swap(table, call)
        },
      })
    const routing = traffic(late)
    const serving = () => routing.inForce.routes[0]?.slots[0]?.backends ?? []
    await until('the first is routed to', () => serving().length === 1)
    let release: () => void = () => undefined
    held = new Promise<void>((resolve) => {
      release = resolve
    })
    hub.see(ref, [one, two])
    const pass = () => routing.routedOut(ref, two, 60_000, never)
    for (let turn = 0; turn < 3; turn++) {
      expect(await pass()).toMatchObject({ state: 'yield', reason: 'the edge to route past it' })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    held = undefined
    release()
    await until('it may go', async () => (await pass()).state === 'done')
    expect(serving()).toEqual(['r1/web/http'])
  })

  it('sends nothing to one that is seen to be ready only after it was asked to leave', async () => {
    const { hub, ref, traffic } = await stage()
    const [one, two] = [replica(kept(await backend('one')), 'r1'), replica(kept(await backend('two')), 'r2')]
    hub.see(ref, [one])
    const routing = traffic()
    const tables = () => routing.inForce.number
    await until('it is routed to', () => routing.inForce.routes[0]?.slots[0]?.backends.length === 1)
    await until('it may go', async () => (await routing.routedOut(ref, two, 60_000, never)).state === 'done')
    const before = tables()
    hub.see(ref, [one, two])
    await until('the next table is in force', () => tables() > before)
    expect(routing.inForce.routes[0]?.slots[0]?.backends).toEqual(['r1/web/http'])
  })

  it('goes on with larger numbers after a restart of the server, and takes nothing from the edge meanwhile', async () => {
    const { hub, port, ref, edge, traffic } = await stage()
    hub.see(ref, [replica(kept(await backend('one')), 'r1')])
    const first = traffic()
    await until('it answers', async () => (await answers(port)).body === 'one')
    await first.stop()
    const { table } = edge.state()
    expect((await answers(port)).body).toBe('one')
    const second = traffic()
    await until('the table is taken over', () => second.inForce.number === table)
    expect((await answers(port)).body).toBe('one')
    hub.see(ref, [replica(kept(await backend('two')), 'r2')])
    await until('the next one is in force', async () => (await answers(port)).body === 'two')
    expect(edge.state().table).toBeGreaterThan(table)
  })

  it('says on a Route whether it is in force, and why not', async () => {
    const { store, hub, port, ref, traffic } = await stage()
    hub.see(ref, [replica(kept(await backend('one')), 'r1')])
    traffic()
    const put = (name: string, spec: object) => {
      const draft = { key: { kind: 'Route', tenant: 'shop', name }, spec: { paths: ['/'], ...spec } }
      return store.write(scope, [{ op: 'create', draft }], {}, never)
    }
    const ready = async (name: string) => {
      const route = await store.read(scope, { kind: 'Route', tenant: 'shop', name }, never)
      return route?.status.conditions?.find(({ type }) => type === 'Ready')
    }
    await put('www', { workload: 'web', hosts: ['www.example'] })
    await put('lost', { workload: 'ghost', hosts: ['lost.example'] })
    await until('both are told', async () => (await ready('www')) && (await ready('lost')))
    expect(await ready('www')).toMatchObject({ status: 'True', reason: 'routed' })
    expect(await ready('lost')).toMatchObject({ status: 'False', message: 'There is no workload "ghost"' })
    expect((await ask(port, '/', { to: 'www.example' })).body).toBe('one')
  })

  it('counts what a slot was asked', async () => {
    const { hub, port, ref, traffic } = await stage()
    const flaky = kept(
      await backend('flaky', ({ url }, response) => void response.writeHead(url === '/bad' ? 500 : 200).end()),
    )
    hub.see(ref, [replica(flaky, 'r1')])
    const routing = traffic()
    await until('it counts', () => routing.edgeFigures(ref.uid, 'a', 0))
    for (const path of ['/', '/', '/bad']) await ask(port, path, { to: host })
    const counted = await until('it has counted', () => {
      const figures = routing.edgeFigures(ref.uid, 'a', 0)
      return figures && figures.requests >= 3 && figures
    })
    expect(counted).toEqual({ requests: 3, errors: 1 })
    expect(routing.figures?.backends[0]).toMatchObject({ backend: 'r1/web/http', answers: [0, 2, 0, 0, 1] })
  })
})
