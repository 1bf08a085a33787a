import { instanceName, releaseName } from '@gantry/core'
import { type Store, systemScope } from '@gantry/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { madeFor } from '../controllers/workload/made-for.ts'
import { call, type Plane, startPlane, workloadOf } from '../testing/plane.ts'

let plane: Plane
let store: Store

beforeAll(async () => {
  plane = await startPlane({ wrapStore: (opened) => (store = opened) })
})
afterAll(() => plane.dispose())

const workloads = () => plane.client.tenant('default').workloads

async function make(kind: string, name: string, workload: string, spec: object, status = {}): Promise<void> {
  const owner = await workloads().get(workload)
  const draft = { key: { kind, tenant: 'default', name }, spec, status, ...madeFor(owner) }
  await store.write(systemScope(), [{ op: 'create', draft }], {}, call)
}

describe('looking at a workload', () => {
  it('lists its releases and not those of others', async () => {
    for (const name of ['one', 'two']) {
      const { spec } = await workloads().put(workloadOf(name))
      const release = { workload: name, number: 1, hash: 'a'.repeat(64), secretVersions: {}, images: {} }
      await make('Release', releaseName(name, 1), name, { ...release, services: spec.services })
    }
    const items = await workloads().releases('one').toArray()
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['one-v1'])
    expect(await workloads().rollouts('one').toArray()).toEqual([])
  })

  it('lists the replicas of both slots, and says of which nothing is known', async () => {
    await workloads().put(workloadOf('pair'))
    expect(await workloads().replicas('pair')).toEqual({ items: [], blind: {} })
    const replica = (index: number) => ({
      engineId: `r${index}`,
      index,
      release: 'pair-v1',
      specHash: 'h',
      ready: true,
      terminating: false,
      services: {},
      endpoints: [],
    })
    const blind = { reason: 'engine_unreachable', message: 'It cannot be reached', since: '2026-01-01T00:00:00.000Z' }
    await make(
      'Instance',
      instanceName('pair', 'b'),
      'pair',
      { slot: 'b', provider: 'here' },
      { replicas: [replica(0)], blind },
    )
    await make(
      'Instance',
      instanceName('pair', 'a'),
      'pair',
      { slot: 'a', provider: 'here' },
      { replicas: [replica(1), replica(0)] },
    )
    const seen = await workloads().replicas('pair')
    expect(seen.items.map(({ slot, index }) => `${slot}${index}`)).toEqual(['a0', 'a1', 'b0'])
    expect(seen.blind).toEqual({ b: blind })
  })

  it('is not_found where there is none', async () => {
    for (const look of [() => workloads().releases('no').toArray(), () => workloads().replicas('no')]) {
      await expect(look()).rejects.toMatchObject({ kind: 'not_found' })
    }
  })
})
