/** What cannot be looked at is unknown: not absent, not green. And known again by itself. On real processes. */
import { isDeepStrictEqual } from 'node:util'
import { connectSupervisor } from '@gantry/providers/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askEdge } from './testing/ask-edge.ts'
import { expectSince, said, untilSaid } from './testing/said.ts'
import { settled } from './testing/settled.ts'
import { type System, startSystem } from './testing/system.ts'
import { until } from './testing/until.ts'
import { webWorkload } from './testing/web-program.ts'

let system: System

beforeAll(async () => {
  system = await startSystem()
  await system.start()
  await workloads().put(webWorkload({ name: 'web', env: { SAYS: 'v1' } }))
  await settled(system.client, 'web')
})
afterAll(async () => {
  expect(await system.dispose()).toEqual([])
})

const workloads = () => system.client.tenant('default').workloads
const call = () => ({ signal: AbortSignal.timeout(30_000) })
const supervisorPid = async () => (await connectSupervisor(system.dataDir, { start: false }).info(call())).pid

/** Which processes there are, by the supervisor's word. */
async function pids(): Promise<(number | undefined)[]> {
  const all = await connectSupervisor(system.dataDir, { start: false }).list({}, call())
  return all.map(({ pid }) => pid).toSorted()
}

const answers = () => askEdge(system.edgePort, 'web')

describe('an engine that is cut off', () => {
  it('makes a workload unknown, since when and why; it goes on answering, and is known again by itself', async () => {
    const before = await said(system.client, 'web')
    const pid = await supervisorPid()
    const begun = Date.now()
    process.kill(pid, 'SIGSTOP')
    try {
      const cut = await untilSaid(system.client, 'web', 'Ready', /^Unknown /)
      expect(cut.Ready).toMatch(/^Unknown \w+ Provider "local" cannot be looked at since \S+Z: /)
      expect(cut.Progressing).toMatch(/^Unknown /)
      expect(cut.Degraded).toMatch(/^Unknown /)
      expectSince(cut, 'Ready', begun)
      // What was seen before stays, and it is said that nobody can look.
      expect(cut.workload.status).toMatchObject({ replicas: 2, readyReplicas: 2, release: 1 })
      expect(cut.replicas.items.map(({ engineId }) => engineId)).toEqual(
        before.replicas.items.map(({ engineId }) => engineId),
      )
      expect(cut.replicas.blind.a).toMatchObject({ message: expect.any(String), since: expect.any(String) })
      const provider = await system.client.providers.get('local')
      expect(provider.status.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'False' })
      expect(await answers()).toBe('v1')

      // What is asked for now is kept, waits, and says for what.
      await workloads().deploy('web', { services: [{ name: 'web', env: { SAYS: 'v2' } }] })
      const waits = await until(
        'the rollout to wait for the engine',
        () => system.client.tenant('default').rollouts.get('web-r2'),
        ({ status }) => status.waitingOn === 'engine',
      )
      expect(waits.status.waitingFor).toMatch(/^provider "local" to be reachable again \(not since \S+: /)
      expect((await said(system.client, 'web')).Ready).toMatch(/^Unknown /)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    const { workload } = await settled(system.client, 'web')
    expect(workload.status.release).toBe(2)
    const well = await untilSaid(system.client, 'web', 'Ready', /^True converged 2 of 2 replicas are ready$/)
    expect(well.replicas.blind).toEqual({})
    await until('v2 to answer', answers, (body) => body === 'v2')
  })

  it('by the death of its supervisor has lost nothing: the same processes, with another to look after them', async () => {
    const before = await pids()
    const pid = await supervisorPid()
    process.kill(pid, 'SIGKILL')
    expect(await answers()).toBe('v2')
    const next = await until('another supervisor', supervisorPid, (found) => found !== pid)
    expect(next).not.toBe(pid)
    await until('the same processes to be found', pids, (found) => isDeepStrictEqual(found, before))
    const { workload } = await settled(system.client, 'web')
    expect(workload.status).toMatchObject({ replicas: 2, readyReplicas: 2 })
    const { items } = await workloads().replicas('web')
    expect(items.map(({ services }) => services.web?.restarts)).toEqual([0, 0])
    expect(await answers()).toBe('v2')
  })

  it('while the server is away and comes back is seen again: the same processes, not started anew', async () => {
    const before = await pids()
    const replicas = (await workloads().replicas('web')).items
    await system.stop()
    expect(await answers()).toBe('v2')
    await system.start()
    await untilSaid(system.client, 'web', 'Ready', /^True /)
    expect(await pids()).toEqual(before)
    const after = (await workloads().replicas('web')).items
    expect(after.map(({ services }) => services.web?.startedAt)).toEqual(
      replicas.map(({ services }) => services.web?.startedAt),
    )
  })
  it('when the server comes back is unknown, whatever was known when it went', async () => {
    await system.stop()
    const pid = await supervisorPid()
    process.kill(pid, 'SIGSTOP')
    try {
      await system.start()
      const seen: string[] = []
      await until(
        'it to be said that nobody can look',
        () => said(system.client, 'web'),
        ({ Ready }) => {
          seen.push(Ready)
          return /^Unknown /.test(Ready)
        },
      )
      expect(seen.filter((words) => /^True /.test(words))).toEqual([])
      expect(await answers()).toBe('v2')
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await untilSaid(system.client, 'web', 'Ready', /^True converged 2 of 2 replicas are ready$/)
  })
})
