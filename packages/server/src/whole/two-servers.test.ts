/**
 * Two control planes on one PostgreSQL and one engine: each works on its share of the objects, never both on one, and what
 * one of them leaves undone the other takes over.
 */
import { randomBytes } from 'node:crypto'
import { systemClock } from '@gantry/core'
import { engine } from '@gantry/engines'
import { type Engine, overlay, type Ref, refKey } from '@gantry/providers'
import { SimulatedWorld, simulatedEngine } from '@gantry/providers/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineFactory } from '../providers/engine-factories.ts'
import { call, type Plane, startPlane, workloadOf } from '../testing/plane.ts'
import { memoryKeys } from '../vault/memory-keys.ts'
import { type Gate, gatedEngine, gatedStore, makeGate } from './testing/gated.ts'
import { settled } from './testing/settled.ts'
import { until } from './testing/until.ts'

const postgres = await engine('postgres', call)
const schema = `test_${randomBytes(8).toString('hex')}`
const keys = memoryKeys()
const world = new SimulatedWorld(systemClock)

type Server = { readonly plane: Plane; readonly gate: Gate }
const servers: Server[] = []

/** Who acted on which instance, in order; and every time that two did so at once. */
const acts: { readonly server: number; readonly of: string }[] = []
const collisions: string[] = []
const acting = new Map<string, number>()

async function start(database: string): Promise<void> {
  const server = servers.length
  const gate = makeGate()
  const factory: EngineFactory = async ({ installation }) => {
    const own = gatedEngine(simulatedEngine(world, installation), gate)
    return { engine: overlay(own, { converge: watched((...asked) => own.converge(...asked), server) }) }
  }
  const plane = await startPlane({
    database,
    keys,
    controllers: true,
    firstProvider: 'simulated',
    providers: { simulated: factory },
    wrapStore: (store) => gatedStore(store, gate),
  })
  servers.push({ plane, gate })
}

function watched(converge: Engine['converge'], server: number): Engine['converge'] {
  return async (desired, during) => {
    const of = nameOf(desired.ref)
    const other = acting.get(of)
    if (other !== undefined && other !== server) collisions.push(`${of}: ${other} and ${server}`)
    acting.set(of, server)
    try {
      const pass = await converge(desired, during)
      acts.push({ server, of })
      return pass
    } finally {
      if (acting.get(of) === server) acting.delete(of)
    }
  }
}

const nameOf = (ref: Ref): string => `${ref.workload} ${refKey(ref)}`

beforeAll(async () => {
  if (postgres.state !== 'ready') return
  const address = new URL(postgres.address)
  address.searchParams.set('schema', schema)
  await start(address.href)
  await start(address.href)
})

afterAll(async () => {
  for (const { gate } of servers) gate.open()
  for (const { plane } of servers) await plane.dispose()
  if (postgres.state !== 'ready') return
  const client = new pg.Client({ connectionString: postgres.address })
  await client.connect()
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  await client.end()
})

const names = Array.from({ length: 8 }, (_, at) => `w${at}`)
const webOf = (name: string, image: string) =>
  workloadOf(name, { replicas: 2, services: [{ name: 'web', image }], strategy: { minReadySeconds: 0 } })

function both(skip: (why: string) => never): readonly [Server, Server] {
  const [first, second] = servers
  if (postgres.state !== 'ready') return skip(postgres.why)
  if (!first || !second) throw new Error('both servers were to be started')
  return [first, second]
}

/** Each as it was asked for, and not one replica more. */
async function converged({ plane }: Server): Promise<void> {
  for (const name of names) await settled(plane.client, name)
  const replicas = [...world.replicas.values()].length
  expect(replicas).toBe(names.length * 2)
}

describe('two servers on one database', () => {
  it('share the work: both act, and never both on one instance', async ({ skip }) => {
    const [first, second] = both(skip)
    await until(
      'both to hold a share',
      async () => await Promise.all([first, second].map(({ plane }) => plane.client.ready())),
      (all) => all.every(({ ready }) => ready),
    )
    for (const [at, name] of names.entries()) {
      const { client } = at % 2 === 0 ? first.plane : second.plane
      await client.tenant('default').workloads.put(webOf(name, 'app:1'))
    }
    await converged(second)
    expect([...new Set(acts.map(({ server }) => server))].toSorted()).toEqual([0, 1])
    expect(collisions).toEqual([])
  })

  it('finish what one of them leaves undone when it is gone, and it does no harm when it comes back', async ({
    skip,
  }) => {
    const [first, second] = both(skip)
    first.gate.shut()
    acts.length = 0
    for (const name of names) await second.plane.client.tenant('default').workloads.put(webOf(name, 'app:2'))
    await converged(second)
    expect([...new Set(acts.map(({ server }) => server))]).toEqual([1])
    expect(new Set(acts.map(({ of }) => of)).size).toBe(names.length)

    first.gate.open()
    await until(
      'it to have a share again',
      () => first.plane.client.ready(),
      ({ ready }) => ready,
    )
    acts.length = 0
    for (const name of names) await first.plane.client.tenant('default').workloads.put(webOf(name, 'app:3'))
    await converged(first)
    expect(collisions).toEqual([])
  })
})
