import { type ObjectOf, Secret, type WorkloadInput } from '@gantry/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { conditionOf } from '../conditions.ts'
import { type Fleet, startFleet } from '../testing/fleet.ts'
import { call, keyOf, scope } from '../testing/room.ts'

let fleet: Fleet
beforeEach(async () => {
  fleet = await startFleet()
})
afterEach(() => fleet.stop())

const gates = { minReadySeconds: 1, progressDeadlineSeconds: 30 } as const
const healthCheck = { command: ['true'] }
const v = (image: number | string): Partial<WorkloadInput> => ({ services: [{ name: 'web', image: `app:${image}` }] })

const says = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ stream: 'stderr' as const, line: `line ${at + 1}` }))

async function created(spec: Partial<WorkloadInput> = {}): Promise<void> {
  await fleet.deploy({ strategy: { ...gates }, ...spec })
  await fleet.reach('web-r1', 'succeeded')
}

async function workload(): Promise<ObjectOf<'Workload'>> {
  const found = await fleet.read('Workload', 'web')
  if (!found) throw new Error('there is no workload')
  return found
}

const releases = (): string[] =>
  [...fleet.world.replicas.values()].filter(({ terminating }) => !terminating).map(({ desired }) => desired.release)

describe('a release whose process ends', () => {
  it.each(['rolling', 'recreate', 'blue_green', 'canary'] as const)('is rolled back at once: %s', async (type) => {
    await created({ strategy: { type, ...gates } })
    fleet.world.images.set('app:2', { exits: { code: 3, afterMs: 50 }, prints: says(25) })
    await fleet.deploy(v(2))
    const begun = fleet.clock.now()
    const { status } = await fleet.reach('web-r2', 'rolled_back')
    expect(fleet.clock.now() - begun).toBeLessThan(10_000)
    expect(status.failure).toMatchObject({ reason: 'process_exited', service: 'web', exitCode: 3 })
    expect(status.failure?.logTail).toHaveLength(20)
    expect(status.failure?.logTail?.at(-1)).toBe('line 25')
    expect(status).toMatchObject({ stable: 'a', weights: { a: 100, b: 0 } })
    await fleet.until(async () => releases().join() === 'v1,v1')
    await fleet.until(async () => conditionOf(await workload(), 'Ready')?.status === 'True')
    expect((await workload()).status).toMatchObject({ release: 1, failedRelease: 2 })
    expect(conditionOf(await workload(), 'Degraded')?.message).toMatch(
      /^v2 failed \(web of replica \d exited with code 3.*running v1$/,
    )
  })

  it('is not tried again until something changes', async () => {
    await created()
    fleet.world.images.set('app:2', { exits: { code: 3, afterMs: 50 } })
    await fleet.deploy(v(2))
    await fleet.reach('web-r2', 'rolled_back')
    await fleet.pass(120_000)
    expect(await fleet.read('Rollout', 'web-r3')).toBeUndefined()
    fleet.world.images.set('app:2', {})
    await fleet.deploy({ deployStamp: 'again' })
    await fleet.reach('web-r3', 'succeeded')
    expect(releases()).toEqual(['v3', 'v3'])
  })

  it('is held up for a person, if told so, who may try on', async () => {
    await created({ strategy: { ...gates, onFailure: 'pause' } })
    fleet.world.missingImages.add('app:2')
    await fleet.deploy(v(2))
    const { status } = await fleet.reach('web-r2', 'paused')
    expect(status).toMatchObject({ waitingOn: 'person', failure: { reason: 'image_pull_failed' } })
    await fleet.pass(60_000)
    fleet.world.missingImages.delete('app:2')
    await fleet.say('web-r2', { resume: 1 })
    const { status: after } = await fleet.reach('web-r2', 'succeeded')
    expect(after.failure).toBeUndefined()
  })

  it('is held up for a person, who may go back', async () => {
    await created({ strategy: { type: 'blue_green', ...gates, onFailure: 'pause' } })
    fleet.world.images.set('app:2', { exits: { code: 3, afterMs: 50 } })
    await fleet.deploy(v(2))
    await fleet.reach('web-r2', 'paused')
    await fleet.say('web-r2', { abort: { by: 'eva', why: 'no good' } })
    await fleet.reach('web-r2', 'aborted')
    await fleet.until(async () => releases().join() === 'v1,v1')
  })

  it('stays where there is nothing to go back to, and is told at once', async () => {
    fleet.world.images.set('app:1', { exits: { code: 1, afterMs: 50 }, prints: says(1) })
    await fleet.deploy({ strategy: { ...gates } })
    const { status } = await fleet.reach('web-r1', 'failed')
    expect(status.failure).toMatchObject({ reason: 'process_exited', exitCode: 1, logTail: ['line 1'] })
    await fleet.until(async () => conditionOf(await workload(), 'Degraded')?.status === 'True')
    expect(releases()).toEqual(['v1', 'v1'])
  })

  it('is tried on meanwhile, and recovers by itself when the cause is gone', async () => {
    fleet.world.missingImages.add('app:1')
    await fleet.deploy({ strategy: { ...gates } })
    expect((await fleet.reach('web-r1', 'failed')).status.failure?.reason).toBe('image_pull_failed')
    fleet.world.missingImages.delete('app:1')
    await fleet.reach('web-r1', 'succeeded')
    await fleet.until(async () => conditionOf(await workload(), 'Degraded')?.status === 'False')
  })
})

describe('a release that does not become ready', () => {
  it('is rolled back when it comes no nearer in time, with what it said last', async () => {
    await created()
    fleet.world.images.set('app:2', { healthyAfterMs: 1e9, prints: says(2) })
    await fleet.deploy({ services: [{ name: 'web', image: 'app:2', healthCheck }] })
    const { status } = await fleet.reach('web-r2', 'rolled_back')
    expect(status.failure).toMatchObject({ reason: 'progress_deadline', service: 'web', logTail: ['line 1', 'line 2'] })
    await fleet.until(async () => releases().join() === 'v1,v1')
  })

  it('is rolled back when its image cannot be had', async () => {
    await created()
    fleet.world.missingImages.add('app:2')
    await fleet.deploy(v(2))
    const { status } = await fleet.reach('web-r2', 'rolled_back')
    expect(status.failure?.message).toMatch(/app:2/)
  })

  it('shows values of secrets nowhere', async () => {
    await fleet.apply('Secret', 'token', { keys: [] })
    const secret = await fleet.read('Secret', 'token')
    if (!secret) throw new Error('it was just written')
    const { commands } = await fleet.vault.put(secret, new Map([['key', new Secret('hunter2-hunter2')]]), call)
    await fleet.store.write(scope, commands, {}, call)
    await created()
    const line = 'connecting with hunter2-hunter2 now'
    fleet.world.images.set('app:2', { exits: { code: 1, afterMs: 50 }, prints: [{ stream: 'stderr', line }] })
    const secrets = [{ name: 'token', key: 'key', env: 'TOKEN' }]
    await fleet.deploy({ services: [{ name: 'web', image: 'app:2', secrets }] })
    const { status } = await fleet.reach('web-r2', 'rolled_back')
    expect(status.failure?.logTail).toEqual(['connecting with [secret] now'])
    expect(JSON.stringify(await fleet.store.list(scope, { kind: 'Rollout', limit: 9 }, call))).not.toContain('hunter2')
  })
})

describe('an engine that cannot be reached', () => {
  it('makes everything unknown, with the reason and since when, and converges when it is back', async () => {
    await created()
    await fleet.deploy(v(2))
    await fleet.until(async () => releases().includes('v2'))
    fleet.world.cut()
    const since = new Date(fleet.clock.now()).toISOString()
    await fleet.pass(300_000)
    const rollout = await fleet.read('Rollout', 'web-r2')
    expect(rollout?.status).toMatchObject({ phase: 'progressing', waitingOn: 'engine' })
    expect(rollout?.status.waitingFor).toContain('provider "here" to be reachable again')
    const instance = await fleet.read('Instance', 'web-a')
    expect(instance?.status.blind).toMatchObject({ reason: 'engine_unreachable', since })
    expect(instance?.status.replicas?.length).toBeGreaterThan(0)
    expect(conditionOf(await workload(), 'Ready')).toMatchObject({ status: 'Unknown', reason: 'engine_unreachable' })
    expect(rollout?.status.weights).toEqual({ a: 100, b: 0 })
    fleet.world.heal()
    await fleet.reach('web-r2', 'succeeded')
    await fleet.until(async () => conditionOf(await workload(), 'Ready')?.status === 'True')
    expect(releases()).toEqual(['v2', 'v2'])
  })

  it('holds up a deletion, and lets it end when it is back', async () => {
    await created()
    fleet.world.cut()
    await fleet.store.write(scope, [{ op: 'delete', key: keyOf('Workload', 'web') }], {}, call)
    await fleet.pass(60_000)
    expect(await workload()).toBeDefined()
    fleet.world.heal()
    await fleet.until(async () => (await fleet.read('Workload', 'web')) === undefined)
    expect(fleet.world.instances.size).toBe(0)
    expect(await fleet.read('Instance', 'web-a')).toBeUndefined()
    expect(await fleet.read('Rollout', 'web-r1')).toBeUndefined()
  })
})

describe('a person', () => {
  it('can pause a rollout in its slot, and nothing is replaced until it goes on', async () => {
    await created({ replicas: 4, strategy: { ...gates, minReadySeconds: 5 } })
    await fleet.deploy(v(2))
    await fleet.until(async () => releases().filter((release) => release === 'v2').length === 2)
    await fleet.say('web-r2', { paused: true })
    await fleet.reach('web-r2', 'paused')
    const before = [...fleet.world.replicas.keys()].sort()
    await fleet.pass(120_000)
    expect([...fleet.world.replicas.keys()].sort()).toEqual(before)
    await fleet.say('web-r2', { paused: false })
    await fleet.reach('web-r2', 'succeeded')
    expect(releases()).toEqual(['v2', 'v2', 'v2', 'v2'])
  })

  it('can abort a rollout in its slot, and what was there comes back', async () => {
    await created({ replicas: 3, strategy: { ...gates, minReadySeconds: 5 } })
    await fleet.deploy(v(2))
    await fleet.until(async () => releases().includes('v2'))
    await fleet.say('web-r2', { abort: { by: 'eva', why: '' } })
    await fleet.reach('web-r2', 'aborted')
    expect(releases()).toEqual(['v1', 'v1', 'v1'])
    await fleet.until(async () =>
      /v2 was aborted by eva/.test(conditionOf(await workload(), 'Degraded')?.message ?? ''),
    )
  })

  it('can deploy again while a canary is under way: the newer takes over', async () => {
    const steps = [{ weight: 10, manual: true as const }]
    await created({ strategy: { type: 'canary', steps, ...gates } })
    await fleet.deploy(v(2))
    await fleet.until(async () => fleet.edge.routed.at(-1) === '90/10')
    await fleet.deploy(v(3))
    await fleet.reach('web-r3', 'paused')
    expect((await fleet.read('Rollout', 'web-r2'))?.status.phase).toBe('superseded')
    expect(fleet.edge.routed).toEqual(['100/0', '90/10', '100/0', '90/10'])
    await fleet.say('web-r3', { promote: 1 })
    await fleet.reach('web-r3', 'succeeded')
    await fleet.until(async () => releases().join() === 'v3,v3')
  })

  it('can stop a workload in the middle of a rollout, and it goes on when started', async () => {
    await created({ strategy: { type: 'blue_green', autoPromote: false, ...gates } })
    await fleet.deploy(v(2))
    await fleet.reach('web-r2', 'paused')
    await fleet.deploy({ run: 'stopped' })
    await fleet.until(async () => fleet.world.replicas.size === 0)
    expect((await fleet.read('Rollout', 'web-r2'))?.status).toMatchObject({ waitingOn: 'workload' })
    await fleet.deploy({ run: 'running' })
    await fleet.reach('web-r2', 'paused')
    await fleet.say('web-r2', { promote: 1 })
    await fleet.reach('web-r2', 'succeeded')
  })
})
