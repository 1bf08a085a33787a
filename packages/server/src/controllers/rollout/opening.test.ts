import type { ObjectOf, WorkloadInput } from '@gantry/core'
import type { Store } from '@gantry/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noEdge } from '../../rollout/traffic.ts'
import { call, keyOf, openRoom, type Room, scope } from '../testing/room.ts'
import { reconcileWorkload } from '../workload/reconcile.ts'
import { reconcileRollout } from './reconcile.ts'

const services = [{ name: 'web', image: 'app:1' }]
let room: Room
let writes: number

beforeEach(async () => {
  room = await openRoom()
  await room.apply('Provider', 'here', { type: 'simulated', tenants: ['*'] })
  await room.deps.hub.keep('here', { engine: room.engine }, call)
  await room.clock.advance(0)
  writes = 0
})
afterEach(() => room.close())

/** Commits are what a start waits for. */
function counted(store: Store): Store {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'write') writes += 1
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const deps = () => ({ ...room.deps, store: counted(room.store), traffic: noEdge })
const workloadPass = () => room.run(reconcileWorkload(deps()), keyOf('Workload', 'web'))
const rolloutPass = () => room.run(reconcileRollout(deps()), keyOf('Rollout', 'web-r1'))

async function there<Kind extends 'Workload' | 'Rollout' | 'Instance'>(kind: Kind, name: string) {
  const found = await room.read(kind, name)
  if (!found) throw new Error(`there is no ${kind} ${name}`)
  return found as ObjectOf<Kind>
}

/** What the rollout's own controller makes of a rollout that was written without its first step. */
async function begunApart(): Promise<{ status: unknown; spec: unknown }> {
  const { spec, metadata } = await there('Rollout', 'web-r1')
  const instance = keyOf('Instance', 'web-a')
  const apart = await openRoom()
  try {
    const { spec: asked, metadata: owner } = await there('Workload', 'web')
    const ownerRefs = metadata.ownerRefs
    const workload = { key: keyOf('Workload', 'web'), spec: asked, uid: owner.uid }
    const rollout = { key: keyOf('Rollout', 'web-r1'), spec, ownerRefs }
    const commands = [workload, rollout].map((draft) => ({ op: 'create', draft }) as const)
    await apart.store.write(scope, commands, {}, call)
    await apart.run(reconcileRollout({ ...apart.deps, traffic: noEdge }), keyOf('Rollout', 'web-r1'))
    const [begun, made] = await Promise.all([apart.read('Rollout', 'web-r1'), apart.store.read(scope, instance, call)])
    return { status: begun?.status, spec: made?.spec }
  } finally {
    await apart.close()
  }
}

describe('the first rollout of a workload', () => {
  it.each<[string, Partial<WorkloadInput>]>([
    ['rolling', {}],
    ['recreated', { strategy: { type: 'recreate' } }],
    ['blue-green', { strategy: { type: 'blue_green' } }],
    ['canary', { strategy: { type: 'canary', steps: [{ weight: 10, pauseSeconds: 60 }] } }],
    ['stateful', { type: 'stateful_set', strategy: { type: 'recreate' } }],
    ['stopped', { run: 'stopped', replicas: 3 }],
    ['restarted before it ever ran', { restartStamp: 'now' }],
  ])(
    'begins in the commit that makes it, as it would have by itself, and leaves nothing to write: %s',
    async (_, spec) => {
      await room.apply('Workload', 'web', { services, ...spec })
      await workloadPass()
      expect(writes).toBe(1)
      const rollout = await there('Rollout', 'web-r1')
      const instance = await there('Instance', 'web-a')
      expect({ status: rollout.status, spec: instance.spec }).toEqual(await begunApart())
      expect((await there('Workload', 'web')).status.conditions).toContainEqual(
        expect.objectContaining({ type: 'Progressing', status: 'True', reason: 'rolling_out' }),
      )
      await rolloutPass()
      await workloadPass()
      expect(writes).toBe(1)
    },
  )

  it('is told to people as one that is decided by itself', async () => {
    await room.apply('Workload', 'web', { services })
    await workloadPass()
    await rolloutPass()
    expect(room.events.map(({ of, reason, by }) => [of, reason, by])).toEqual([
      ['Workload web', 'Rollout', 'workload-controller'],
      ['Workload web', 'RolloutProgressing', 'rollout-controller'],
    ])
  })

  it('begins later where somebody else still has the place', async () => {
    const theirs = { key: keyOf('Instance', 'web-a'), spec: { workload: 'web', uid: 'of-before', slot: 'a' } }
    await room.store.write(scope, [{ op: 'create', draft: theirs }], {}, call)
    await room.apply('Workload', 'web', { services })
    await workloadPass()
    expect((await there('Rollout', 'web-r1')).status).toEqual({})
    await room.store.write(scope, [{ op: 'delete', key: theirs.key }], {}, call)
    await rolloutPass()
    expect((await there('Rollout', 'web-r1')).status).toMatchObject({ phase: 'progressing', step: 'update' })
    expect((await there('Instance', 'web-a')).spec.uid).toBe((await there('Workload', 'web')).metadata.uid)
  })
})
