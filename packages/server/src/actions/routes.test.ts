/** Actions over the API, without anything that makes them true. */
import { kinds, releaseName, rolloutName } from '@gantry/core'
import type { Store } from '@gantry/store'
import { systemScope } from '@gantry/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { madeFor } from '../controllers/workload/made-for.ts'
import { call, type Plane, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'

let plane: Plane
let store: Store
const scope = systemScope()

beforeAll(async () => {
  plane = await startPlane({
    wrapStore: (opened) => {
      store = opened
      return opened
    },
  })
  await plane.client.tenants.put(tenantOf('shop'))
})
afterAll(() => plane.dispose())

const shop = () => plane.client.tenant('shop').workloads

async function made(kind: 'Release' | 'Rollout', workload: string, number: number, spec: object): Promise<void> {
  const owner = await shop().get(workload)
  const name = (kind === 'Release' ? releaseName : rolloutName)(workload, number)
  const draft = { key: { kind, tenant: 'shop', name }, spec: { workload, number, ...spec }, ...madeFor(owner) }
  await store.write(scope, [{ op: 'create', draft }], {}, call)
}

describe('actions', () => {
  it('change the spec, and say which generation that made', async () => {
    await shop().put(workloadOf('one'))
    expect(await shop().scale('one', { replicas: 3 })).toMatchObject({
      spec: { replicas: 3 },
      metadata: { generation: 2 },
    })
    expect(await shop().deploy('one', { services: [{ name: 'web', env: { A: '1' } }] })).toMatchObject({
      spec: { services: [{ env: { A: '1' } }] },
      metadata: { generation: 3 },
    })
    expect(await shop().stop('one')).toMatchObject({ spec: { run: 'stopped', replicas: 3 } })
    expect(await shop().start('one')).toMatchObject({ spec: { run: 'running', replicas: 3 } })
  })

  it('that have nothing to do change nothing', async () => {
    await shop().put(workloadOf('two'))
    expect(await shop().start('two')).toMatchObject({ metadata: { generation: 1 } })
  })

  it('are refused in a state that does not allow them, with those that are possible', async () => {
    await shop().put(workloadOf('three'))
    await expect(shop().restart('three')).rejects.toMatchObject({
      reason: 'illegal_transition',
      message: expect.stringMatching(/possible now: .*stop/),
    })
  })

  it('are refused over another generation than the caller has seen', async () => {
    await shop().put(workloadOf('four'))
    await shop().scale('four', { replicas: 2 }, { ifGeneration: 1 })
    await expect(shop().scale('four', { replicas: 4 }, { ifGeneration: 1 })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('are in the audit, by name', async () => {
    const actions = (await plane.client.tenant('shop').audit().toArray()).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['workload.scale', 'workload.deploy', 'workload.stop']))
  })
})

describe('a rollback', () => {
  it('brings back a kept release, and names those that are kept when it is asked for another', async () => {
    const before = await shop().put(workloadOf('back'))
    const release = { hash: 'a'.repeat(64), services: before.spec.services, secretVersions: {}, images: {} }
    await made('Release', 'back', 1, release)
    await shop().deploy('back', { services: [{ name: 'web', env: { NEW: '1' } }] })
    await store.write(
      scope,
      [
        {
          op: 'status',
          key: { kind: 'Workload', tenant: 'shop', name: 'back' },
          status: { state: 'running', release: 2 },
          ifVersion: (await shop().get('back')).metadata.resourceVersion,
        },
      ],
      {},
      call,
    )
    await expect(shop().rollback('back', { to: 7 })).rejects.toMatchObject({
      reason: 'release_not_found',
      message: 'back has no release v7; kept are v1',
    })
    expect((await shop().rollback('back')).spec.services).toEqual(before.spec.services)
  })
})

describe('what is said about a rollout', () => {
  const strategy = kinds.Workload.parse(workloadOf('x')).spec.strategy
  const spec = { release: 1, provider: 'here', type: 'deployment', trigger: 'create', strategy, paused: false }

  it('is written into the newest, each word once', async () => {
    await shop().put(workloadOf('roll'))
    await expect(shop().rollout.pause('roll')).rejects.toMatchObject({ kind: 'not_found' })
    for (const number of [1, 2]) await made('Rollout', 'roll', number, { ...spec, promote: 0, resume: 0 })
    expect(await shop().rollout.pause('roll')).toMatchObject({ metadata: { name: 'roll-r2' }, spec: { paused: true } })
    expect(await shop().rollout.resume('roll')).toMatchObject({ spec: { paused: false, resume: 0 } })
    await shop().rollout.promote('roll')
    expect(await shop().rollout.promote('roll')).toMatchObject({ spec: { promote: 1 } })
    await shop().rollout.abort('roll', { why: 'too slow' })
    expect(await shop().rollout.abort('roll')).toMatchObject({
      spec: { abort: { by: 'control-plane', why: 'too slow' } },
    })
  })
})
