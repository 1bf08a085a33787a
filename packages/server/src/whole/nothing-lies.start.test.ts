/** What cannot start says why and since when, and starts by itself once the cause is gone. On real processes. */
import { chmod, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../testing/crash/server-process.ts'
import { type Moods, moody, oneService, openMoods } from './testing/moody-program.ts'
import { expectSince, type Said, untilSaid } from './testing/said.ts'
import { settled } from './testing/settled.ts'
import { type System, startSystem } from './testing/system.ts'

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
const script = '#!/bin/sh\nexec sleep 100000\n'

async function put(workload: ReturnType<typeof oneService>): Promise<number> {
  const begun = Date.now()
  await tenant().workloads.put(workload)
  return begun
}

/** No first release to go back to: it is tried on, with the reason, the exit code and the last lines on its rollout. */
async function expectFailed({ workload, replicas, Ready }: Said, failure: object): Promise<void> {
  expect(Ready).toMatch(/^False /)
  expect(workload.status).toMatchObject({ release: 1, failedRelease: 1, readyReplicas: 0 })
  expect(replicas.blind).toEqual({})
  expect(replicas.items.map(({ ready }) => ready)).toEqual([false])
  const { status } = await tenant().rollouts.get(workload.status.rollout ?? '')
  expect(status).toMatchObject({ phase: 'failed', failure: { service: 'web', replica: 0, ...failure } })
}

/** Without anybody touching the spec: the same generation, the same rollout. */
async function expectWell(name: string, { workload }: Said): Promise<void> {
  const after = await settled(system.client, name)
  expect(after.workload.metadata.generation).toBe(workload.metadata.generation)
  expect(after.rollout?.metadata.name).toBe(workload.status.rollout)
  expect(after.rollout?.status.phase).toBe('succeeded')
  const well = await untilSaid(system.client, name, 'Degraded', /^False converged $/)
  expect(well.Ready).toBe('True converged 1 of 1 replica is ready')
  expect(well.workload.status).not.toHaveProperty('failedRelease')
  expect(well.replicas.items.map(({ ready }) => ready)).toEqual([true])
}

function hold(port: number): Promise<Server> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

describe.concurrent('a workload', () => {
  it('whose process ends again and again says so with its exit code and last words', async () => {
    await moods.set('crashing', 'crash')
    const begun = await put(oneService('crashing', moody(moods.file('crashing'))))
    const words = 'exited with code 3: cannot start: the answer is 42'
    const first = await untilSaid(system.client, 'crashing', 'Degraded', /v1 failed/)
    // It is seen when it has ended, or when it runs again, or when it has ended too often: whatever comes first.
    expect(first.Degraded).toMatch(/^True (process_exited|rollout_stalled) v1 failed \(.*replica 0.* code 3\b/)
    expect(first.Degraded).toMatch(/, there is nothing to go back to$/)
    expectSince(first, 'Degraded', begun)
    expectSince(first, 'Ready', begun)
    await expectFailed(first, { exitCode: 3, logTail: expect.arrayContaining(['cannot start: the answer is 42']) })
    const looping = await untilSaid(system.client, 'crashing', 'Ready', /keeps crashing/)
    expect(looping.Ready).toBe(`False not_ready 0 of 1 replica is ready; replica 0: web keeps crashing: ${words}`)
    expect(looping.replicas.items[0]?.services.web).toMatchObject({ exitCode: 3, restarts: expect.any(Number) })
    await moods.set('crashing', 'well')
    await expectWell('crashing', first)
  })

  it('whose port another program has names the port', async () => {
    const hostPort = await freePort()
    const holder = await hold(hostPort)
    const begun = await put(oneService('port-taken', { ports: [{ name: 'http', port: 8080, hostPort }] }))
    const seen = await untilSaid(system.client, 'port-taken', 'Degraded', /v1 failed/)
    const sentence = `replica 0: web: port ${hostPort} of this machine is held by another program; stop it, or choose another hostPort`
    expect(seen.Degraded).toBe(`True rollout_stalled v1 failed (${sentence}), there is nothing to go back to`)
    expect(seen.Ready).toBe(`False not_ready 0 of 1 replica is ready; ${sentence}`)
    expectSince(seen, 'Degraded', begun)
    await expectFailed(seen, { reason: 'rollout_stalled' })
    await new Promise((resolve) => holder.close(resolve))
    await expectWell('port-taken', seen)
  })

  it('whose health check never passes says what it answered, and fails when its time is over', async () => {
    await moods.set('sick', 'sick')
    const strategy = { minReadySeconds: 0, progressDeadlineSeconds: 10 }
    const begun = await put(oneService('sick', moody(moods.file('sick')), { strategy, more: { stopGraceSeconds: 1 } }))
    const early = await untilSaid(system.client, 'sick', 'Ready', /answered 503/)
    expect(early.Ready).toMatch(
      /^False not_ready 0 of 1 replica is ready; replica 0: web: has not passed its health check yet: GET \/healthz on port \d+ answered 503$/,
    )
    expectSince(early, 'Ready', begun)
    const late = await untilSaid(system.client, 'sick', 'Degraded', /^True \w+ v1 failed/)
    expect(late.Degraded).toMatch(/answered 503.*there is nothing to go back to$/)
    await expectFailed(late, {})
    await moods.set('sick', 'well')
    await expectWell('sick', late)
  })

  it('whose program is missing names it, and starts when it is there', async () => {
    const program = moods.file('no-such-program')
    const begun = await put(oneService('missing', { command: [program], healthCheck: undefined }))
    const seen = await untilSaid(system.client, 'missing', 'Degraded', /v1 failed/)
    const sentence = `replica 0: web: The program ${program} is not there: install it, or correct the command`
    expect(seen.Degraded).toBe(`True rollout_stalled v1 failed (${sentence}), there is nothing to go back to`)
    expect(seen.Ready).toBe(`False not_ready 0 of 1 replica is ready; ${sentence}`)
    expectSince(seen, 'Degraded', begun)
    await expectFailed(seen, { reason: 'rollout_stalled', logTail: [] })
    expect(seen.replicas.items[0]?.services.web).not.toHaveProperty('startedAt')
    await writeFile(program, script, { mode: 0o755 })
    await expectWell('missing', seen)
  })

  it('whose program may not be run names it and who would run it, and starts when it may', async () => {
    const program = moods.file('forbidden-program')
    await writeFile(program, script, { mode: 0o644 })
    const begun = await put(oneService('forbidden', { command: [program], healthCheck: undefined }))
    const seen = await untilSaid(system.client, 'forbidden', 'Degraded', /v1 failed/)
    expect(seen.Ready).toContain(`; replica 0: web: The program ${program} may not be run in `)
    expect(seen.Ready).toMatch(/ by (user \d+:\d+|our user): make it executable/)
    expectSince(seen, 'Degraded', begun)
    await expectFailed(seen, { reason: 'rollout_stalled' })
    await chmod(program, 0o755)
    await expectWell('forbidden', seen)
  })

  it('whose secret is not there names it, and starts when it is written', async () => {
    const secrets = [{ name: 'not-yet', key: 'word', env: 'WORD' }]
    const begun = await put(oneService('waits-for-secret', { secrets }))
    const seen = await untilSaid(system.client, 'waits-for-secret', 'Ready', /^False secret_not_found /)
    expect(seen.Ready).toContain('The secret "not-yet" does not exist')
    expect(seen.Degraded).toMatch(/^True secret_not_found /)
    expectSince(seen, 'Ready', begun)
    expect(seen.replicas.items).toEqual([])
    await tenant().secrets.put({ apiVersion: 'gantry/v1', kind: 'Secret', metadata: { name: 'not-yet' }, spec: {} })
    await untilSaid(system.client, 'waits-for-secret', 'Ready', /not-yet.* has no /)
    await tenant().secrets.putData('not-yet', { text: { word: 'hush' } })
    await settled(system.client, 'waits-for-secret')
    await untilSaid(system.client, 'waits-for-secret', 'Ready', /^True /)
  })
})
