/** A release that cannot run goes back by itself, says why, and is not tried again until somebody asks. On real processes. */
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../testing/crash/server-process.ts'
import { type Moods, moody, oneService, openMoods } from './testing/moody-program.ts'
import { expectSince, untilSaid } from './testing/said.ts'
import { settled } from './testing/settled.ts'
import { type System, startSystem } from './testing/system.ts'
import { until } from './testing/until.ts'

let system: System
let moods: Moods

beforeAll(async () => {
  moods = await openMoods()
  system = await startSystem()
  await system.start()
})
afterAll(async () => {
  expect(await system.dispose()).toEqual([])
  await moods.remove()
})

const tenant = () => system.client.tenant('default')
const strategy = { minReadySeconds: 0, progressDeadlineSeconds: 10 }

type Case = {
  readonly name: string
  /** What is wrong with the second release. */
  readonly service: (broken: { readonly port: number; readonly mood: string }) => object
  readonly why: RegExp
  readonly failure: object
}

const cases: Case[] = [
  {
    name: 'crashes',
    service: ({ mood }) => moody(mood, 'v2'),
    why: /replica \d.* code 3\b/,
    failure: {
      exitCode: 3,
      logTail: expect.arrayContaining(['cannot start: the answer is 42']),
    },
  },
  {
    name: 'is-sick',
    service: ({ mood }) => moody(mood, 'v2'),
    why: /within 10 s: replica \d: web: has not passed its health check yet: GET \/healthz on port \d+ answered 503/,
    failure: { reason: 'progress_deadline', logTail: ['begins as v2'] },
  },
  {
    name: 'is-missing',
    service: () => ({ command: ['no-such-program-anywhere'] }),
    why: /replica \d: web: The program no-such-program-anywhere is not there in its PATH/,
    failure: { reason: 'rollout_stalled', logTail: [] },
  },
  {
    name: 'has-no-port',
    service: ({ port }) => ({ ports: [{ name: 'http', port: 8080, hostPort: port }] }),
    why: /replica \d: web: port \d+ of this machine is held by another program/,
    failure: { reason: 'rollout_stalled' },
  },
]

const moodOf: Record<string, string> = { crashes: 'crash', 'is-sick': 'sick' }

describe.concurrent('a release that', () => {
  it.each(cases)('$name gives way to the one before', async ({ name, service, why, failure }) => {
    const { workloads, rollouts } = tenant()
    const port = await freePort()
    const holder = createServer().listen(port, '127.0.0.1')
    await moods.set(name, moodOf[name] ?? '')
    const first = oneService(name, moody(moods.file(`${name}-v1`)), { strategy, more: { stopGraceSeconds: 1 } })
    await workloads.put(first)
    await settled(system.client, name)
    const [before] = (await workloads.replicas(name)).items
    const begun = Date.now()
    const second = { ...moody(moods.file(`${name}-v1`)), ...service({ port, mood: moods.file(name) }) }
    await workloads.put(oneService(name, second, { strategy, more: { stopGraceSeconds: 1 } }))
    const seen = await untilSaid(system.client, name, 'Degraded', /^True \w+ v2 failed \(.*\), running v1$/)
    expect(seen.Degraded).toMatch(why)
    expectSince(seen, 'Degraded', begun)

    await until(
      `${name} to be back`,
      () => rollouts.get(`${name}-r2`),
      ({ status }) => status.phase === 'rolled_back',
    )
    const { workload } = await settled(system.client, name)
    expect(workload.status).toMatchObject({ release: 1, failedRelease: 2, readyReplicas: 1, rollout: `${name}-r2` })
    const { status } = await rollouts.get(`${name}-r2`)
    expect(status.failure).toMatchObject({ service: 'web', replica: expect.any(Number), ...failure })
    const after = await untilSaid(system.client, name, 'Ready', /^True /)
    expect(after.replicas.items.map(({ release }) => release)).toEqual(['v1'])
    // Rolling adds before it takes away, so v1 was there all along; but for a port that only one replica can have.
    if (name !== 'has-no-port') expect(after.replicas.items[0]?.engineId).toBe(before?.engineId)
    expect(after.Degraded).toMatch(/^True \w+ v2 failed/)

    // Nothing rolls by itself, also not when the cause is gone; a deploy of the same does.
    await moods.set(name, 'well')
    await new Promise((resolve) => holder.close(resolve))
    await workloads.patch(name, { spec: { stopGraceSeconds: 2 } })
    const changed = await settled(system.client, name, workload.metadata.generation + 1)
    expect(changed.workload.status).toMatchObject({ release: 1, rollout: `${name}-r2` })
    if (name === 'is-missing' || name === 'has-no-port') return
    await workloads.deploy(name)
    const again = await settled(system.client, name, changed.workload.metadata.generation + 1)
    expect(again.rollout?.spec.number).toBe(3)
    expect(again.rollout?.status.phase).toBe('succeeded')
    const well = await untilSaid(system.client, name, 'Degraded', /^False converged $/)
    expect(well.Ready).toMatch(/^True /)
    expect(well.workload.status).not.toHaveProperty('failedRelease')
  })
})
