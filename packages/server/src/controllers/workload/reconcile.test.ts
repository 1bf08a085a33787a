import { type ObjectOf, Secret, type StatusOf, type WorkloadInput } from '@gantry/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { conditionOf } from '../conditions.ts'
import { call, keyOf, openRoom, type Room, scope } from '../testing/room.ts'
import { abandonmentCommand } from './abandonment.ts'
import { reconcileWorkload } from './reconcile.ts'

const services = [{ name: 'web', image: 'app:1' }]
const key = keyOf('Workload', 'web')
let room: Room

beforeEach(async () => {
  room = await openRoom()
  await room.apply('Provider', 'here', { type: 'simulated', tenants: ['*'] })
  await room.deps.hub.keep('here', { engine: room.engine }, call)
  await room.clock.advance(0)
})
afterEach(() => room.close())

async function workload(): Promise<ObjectOf<'Workload'>> {
  const found = await room.read('Workload', 'web')
  if (!found) throw new Error('there is no workload')
  return found
}

const apply = (spec: Partial<WorkloadInput> = {}) => room.apply('Workload', 'web', { services, ...spec })
const pass = () => room.run(reconcileWorkload(room.deps), key)
const said = async (type: string) => {
  const { status, reason, message } = conditionOf(await workload(), type) ?? {}
  return `${status} ${reason} ${message}`
}

/** As the instance controller would have said by now. */
const seen = (status: StatusOf<'Instance'> = {}) =>
  room.setStatus('Instance', 'web-a', { observedGeneration: 1, ...status })

const rolledOut = (number: number) => room.setStatus('Rollout', `web-r${number}`, { phase: 'succeeded', stable: 'a' })

describe('a pass over a workload', () => {
  it('makes the first release and its rollout in one step, with the images pinned', async () => {
    room.world.images.set('app:1', {})
    await apply()
    await pass()
    expect((await room.read('Release', 'web-v1'))?.spec).toMatchObject({
      workload: 'web',
      number: 1,
      images: { web: expect.stringMatching(/^app:1@/) },
    })
    expect((await room.read('Rollout', 'web-r1'))?.spec).toMatchObject({
      release: 1,
      trigger: 'create',
      provider: 'here',
    })
    const { status, metadata } = await workload()
    expect(status).toMatchObject({ releases: 1, rollout: 'web-r1', observedGeneration: 1 })
    expect(metadata.finalizers).toEqual(['gantry.dev/workload'])
  })

  it('writes nothing when nothing has changed', async () => {
    await apply()
    await pass()
    await pass()
    const before = (await workload()).metadata.resourceVersion
    await pass()
    expect((await workload()).metadata.resourceVersion).toBe(before)
    expect(await room.read('Rollout', 'web-r2')).toBeUndefined()
  })

  it('makes a new release of other content, and none of another number of replicas', async () => {
    await apply()
    await pass()
    await seen()
    await apply({ replicas: 5 })
    await pass()
    expect(await room.read('Rollout', 'web-r2')).toBeUndefined()
    expect((await room.read('Instance', 'web-a'))?.spec.replicas).toBe(5)
    await apply({ replicas: 5, services: [{ name: 'web', image: 'app:2' }] })
    await pass()
    expect((await room.read('Rollout', 'web-r2'))?.spec).toMatchObject({ release: 2, trigger: 'deploy' })
  })

  it('says from its first word about a change that it is rolled out, and not that nothing is left to do', async () => {
    await apply()
    await pass()
    await rolledOut(1)
    await seen({ readyReplicas: 1 })
    await pass()
    expect(await said('Progressing')).toBe('False converged Nothing left to do')
    await apply({ services: [{ name: 'web', image: 'app:2' }] })
    await pass()
    const { status, metadata } = await workload()
    expect(status).toMatchObject({ observedGeneration: metadata.generation, releases: 2, release: 1, stable: 'a' })
    expect(await said('Progressing')).toBe('True rolling_out Rolling out v2')
  })

  it('rolls an old release out again if its content is asked for again', async () => {
    await apply()
    await pass()
    await rolledOut(1)
    await apply({ services: [{ name: 'web', image: 'app:2' }] })
    await pass()
    await rolledOut(2)
    await apply()
    await pass()
    expect((await room.read('Rollout', 'web-r3'))?.spec).toMatchObject({ release: 1, from: 2, trigger: 'rollback' })
    expect(await room.read('Release', 'web-v3')).toBeUndefined()
  })

  it('does not roll out again what failed, until something changes', async () => {
    await apply()
    await pass()
    await seen()
    await room.setStatus('Rollout', 'web-r1', { phase: 'failed', stable: 'a' })
    await pass()
    expect(await room.read('Rollout', 'web-r2')).toBeUndefined()
    expect((await workload()).status.failedRelease).toBe(1)
    await apply({ deployStamp: 'again' })
    await pass()
    expect((await room.read('Rollout', 'web-r2'))?.spec.release).toBe(2)
  })

  it('rolls for a restart without a release', async () => {
    await apply()
    await pass()
    await rolledOut(1)
    await apply({ restartStamp: 'now' })
    await pass()
    const { spec } = (await room.read('Rollout', 'web-r2')) ?? {}
    expect(spec).toMatchObject({ release: 1, trigger: 'restart', restartStamp: 'now' })
  })

  it('waits for what it depends on, and only before its first rollout', async () => {
    await room.apply('Workload', 'db', { services })
    await apply({ dependsOn: [{ workload: 'db' }] })
    const result = await pass()
    expect(result.references).toContainEqual(keyOf('Workload', 'db'))
    expect(await said('Ready')).toBe('False waiting waiting for workload "db" to be ready')
    expect(await room.read('Rollout', 'web-r1')).toBeUndefined()
    const ready = { type: 'Ready', status: 'True', reason: 'converged', message: '', since: '' } as const
    await room.setStatus('Workload', 'db', { conditions: [ready] })
    await pass()
    expect(await room.read('Rollout', 'web-r1')).toBeDefined()
    await room.setStatus('Workload', 'db', {})
    await apply({ dependsOn: [{ workload: 'db' }], restartStamp: 'now' })
    await pass()
    expect(await room.read('Rollout', 'web-r2')).toBeDefined()
  })

  it('rolls when a secret that it refers to has a new version', async () => {
    const secrets = [{ name: 'database', key: 'url', env: 'URL' }]
    await apply({ services: [{ name: 'web', image: 'app:1', secrets }] })
    const parked = await pass()
    expect(parked).toMatchObject({ state: 'permanent', fault: { reason: 'secret_not_found' } })
    expect(await said('Degraded')).toMatch(/^True secret_not_found The secret "database" does not exist/)
    await room.apply('Secret', 'database', {})
    for (const version of [1, 2]) {
      const secret = await room.read('Secret', 'database')
      if (!secret) throw new Error('it was just made')
      const { commands } = await room.vault.put(secret, new Map([['url', new Secret(`v${version}`)]]), {
        ...call,
        by: `writer-${version}`,
      })
      await room.store.write(scope, commands, {}, call)
      await pass()
      const { spec } = (await room.read('Release', `web-v${version}`)) ?? {}
      expect(spec?.secretVersions).toEqual({ database: version })
    }
    const { trigger, createdBy, message } = (await room.read('Rollout', 'web-r2'))?.spec ?? {}
    expect([trigger, createdBy, message]).toEqual(['secret', 'writer-2', 'secret database v1 to v2'])
    expect((await room.read('Release', 'web-v2'))?.spec.changes).toEqual(['secretVersions.database'])
  })

  it('refuses what the engine cannot run, with its path, before anything is made', async () => {
    await apply({ expose: 'load_balancer' })
    expect(await pass()).toMatchObject({ state: 'permanent', fault: { reason: 'field_unsupported' } })
    expect(await said('Degraded')).toMatch(/^True field_unsupported simulated cannot run this: spec\.expose/)
    expect(await room.read('Release', 'web-v1')).toBeUndefined()
  })

  it('refuses a change in place as well, and leaves what runs as it is', async () => {
    const ports = [{ name: 'http', port: 80, hostPort: 8080 }]
    const fixed = { services: [{ name: 'web', image: 'app:1', ports }] }
    await apply(fixed)
    await pass()
    await seen({ readyReplicas: 1 })
    await apply({ ...fixed, expose: 'load_balancer' })
    expect(await pass()).toMatchObject({ state: 'permanent', fault: { reason: 'field_unsupported' } })
    expect((await room.read('Instance', 'web-a'))?.spec.expose).toBe('none')
    expect(await said('Ready')).toBe('True converged 1 of 1 replica is ready')
  })

  it('is unknown, and tried again, while its engine cannot be asked', async () => {
    room.world.cut()
    await room.clock.advance(0)
    await apply()
    expect(await pass()).toMatchObject({ state: 'transient', fault: { reason: 'engine_unreachable' } })
    expect(await said('Ready')).toMatch(/^Unknown engine_unreachable could not look/)
  })
})

describe('the end of a workload', () => {
  async function ask(): Promise<void> {
    await room.store.write(scope, [{ op: 'delete', key }], {}, call)
  }

  it('takes its instances down first, and goes with all that was kept when they are gone', async () => {
    await apply()
    await pass()
    await seen()
    await ask()
    await pass()
    const going = await room.read('Instance', 'web-a')
    expect(going?.metadata.deletionRequestedAt).toBeDefined()
    expect(await said('Ready')).toBe('False deleting Being deleted: waiting for slot a on provider "here" to be gone')
    const finalizer = 'gantry.dev/engine'
    await room.store.write(scope, [{ op: 'removeFinalizer', key: keyOf('Instance', 'web-a'), finalizer }], {}, call)
    await pass()
    for (const [kind, name] of [
      ['Workload', 'web'],
      ['Release', 'web-v1'],
      ['Rollout', 'web-r1'],
    ] as const) {
      expect(await room.read(kind, name)).toBeUndefined()
    }
  })

  it('says that it waits for an engine that cannot be looked at, and how to give up on it', async () => {
    await apply()
    await pass()
    const blind = { reason: 'engine_unreachable', message: 'No socket', since: '2026-01-01T00:00:00.000Z' }
    await seen({ blind })
    await ask()
    await pass()
    expect(await said('Ready')).toMatch(/^Unknown engine_unreachable .*No socket.*delete --abandon/)
  })

  it('gives up on an engine only when told to, and records by whom and what was left', async () => {
    await apply()
    await pass()
    await seen()
    await ask()
    await pass()
    const given = abandonmentCommand(await workload(), { by: 'eve', why: 'the machine burnt' })
    await room.store.write(scope, [given, { op: 'delete', key }], {}, call)
    await pass()
    expect(await room.read('Workload', 'web')).toBeUndefined()
    expect(await room.read('Instance', 'web-a')).toBeUndefined()
    const { entries } = await room.store.audit(scope, { limit: 10, order: 'newest' }, call)
    expect(entries[0]).toMatchObject({
      actor: 'eve',
      action: 'workload.abandon',
      detail: { why: 'the machine burnt', left: 'slot a on provider "here": replicas that were not seen' },
    })
  })
})
