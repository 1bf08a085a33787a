/** What is shown is what was seen. */
import assert from 'node:assert/strict'
import { always, troubled } from '../testing/faults.ts'
import type { ContractCase } from './case.ts'

const http = [{ name: 'http', port: 8080 }]

export const statusCases: readonly ContractCase[] = [
  {
    title: 'tells absence from blindness',
    rows: ['status'],
    async run(kit) {
      assert.equal(await kit.settle(kit.provider.status(kit.ref(), kit.call)), undefined)
      await kit.provision()
      await kit.harness.cut()
      const fault = await kit.refused(kit.provider.status(kit.ref(), kit.call), 'engine_unreachable', 'engine_refused')
      assert.equal(fault.kind, 'unavailable')
      await kit.refused(kit.provider.status(kit.ref('never'), kit.call), 'engine_unreachable', 'engine_refused')
      await kit.harness.heal()
      assert.equal((await kit.status()).state, 'running')
    },
  },
  {
    title: 'ends a look at an engine that accepts and never answers, with a cause of its own',
    rows: ['status'],
    async run(kit) {
      const { engine, clock } = kit.harness
      const provider = kit.harness.over(troubled(engine, clock, always(['look'], { do: 'hang' })))
      const fault = await kit.refused(provider.status(kit.ref(), kit.call), 'deadline_exceeded')
      assert.equal(fault.kind, 'deadline')
    },
  },
  {
    title: 'shows state, readiness, replicas, release, start and endpoints of what runs',
    rows: ['status', 'facts'],
    async run(kit) {
      const before = kit.harness.clock.now()
      const { release } = await kit.provision({
        replicas: 2,
        services: [kit.service({ listens: 'http' }, { ports: http })],
      })
      const status = await kit.status()
      assert.deepEqual([status.state, status.ready, status.restarts], ['running', true, 0])
      assert.deepEqual(status.replicas, { wanted: 2, there: 2, ready: 2 })
      assert.equal(status.release, release.id)
      assert.ok(status.startedAt && status.startedAt.getTime() >= before - 1000, 'started since the provision')
      assert.ok(status.at.getTime() >= before, 'it says when it was looked')
      assert.ok(status.endpoints.some(({ service, port }) => service === 'web' && port === 'http'))
      assert.equal(status.services.web?.engineIds.length, 2)
      assert.equal(status.message, undefined, 'nothing is made up where there is nothing to say')
    },
  },
  {
    title: 'tells a crash from a stop',
    rows: ['status'],
    needs: ['restart: never'],
    async run(kit) {
      const restart = { policy: 'never' } as const
      const { replicas } = await kit.provision({ restart })
      await kit.harness.crash(replicas[0]?.engineId ?? '', 'web')
      const crashed = await kit.eventually('the crash is seen', async () => {
        const status = await kit.status()
        return status.state === 'failed' && status
      })
      assert.equal(crashed.ready, false)
      assert.equal(crashed.services.web?.state, 'failed')
      assert.match(crashed.message ?? '', /web/, 'it says which service')
      await kit.settle(kit.provider.stop(kit.ref(), kit.call))
      assert.equal((await kit.status()).state, 'stopped')
    },
  },
  {
    title: 'shows what keeps crashing as failed, never as stopped or well',
    rows: ['status'],
    async run(kit) {
      const services = [kit.service({ exits: { code: 3, afterMs: 100 } })]
      const spec = kit.spec({ services, strategy: { progressDeadlineSeconds: 5, minReadySeconds: 2 } })
      const work = kit.provider.provision({ ref: kit.ref(), spec }, kit.call)
      await kit.refused(work, 'deadline_exceeded', 'rollout_stalled')
      const status = await kit.eventually('it is seen to have failed', async () => {
        const seen = await kit.status()
        assert.notEqual(seen.state, 'stopped')
        return seen.state === 'failed' && seen
      })
      assert.match(status.message ?? '', /web.*3/, 'which service, and how it ended')
    },
  },
  {
    title: 'restarts what crashed, and counts it over all services',
    rows: ['status', 'serviceSpec'],
    async run(kit) {
      const services = [kit.service(), kit.service({}, { name: 'helper', role: 'sidecar' })]
      const { replicas } = await kit.provision({ services })
      for (const service of ['web', 'helper']) {
        await kit.harness.crash(replicas[0]?.engineId ?? '', service)
        await kit.eventually(`${service} is back`, async () => {
          const status = await kit.status()
          return status.services[service]?.restarts === 1 && status.ready === true
        })
      }
      assert.equal((await kit.status()).restarts, 2)
    },
  },
  {
    title: 'shows each service, and the worst of them for the whole',
    rows: ['status', 'roles', 'facts'],
    needs: ['restart: never'],
    async run(kit) {
      const restart = { policy: 'never' } as const
      const services = [kit.service(), kit.service({}, { name: 'helper', role: 'sidecar' })]
      const { replicas } = await kit.provision({ services, restart })
      assert.deepEqual(Object.keys((await kit.status()).services).sort(), ['helper', 'web'])
      await kit.harness.crash(replicas[0]?.engineId ?? '', 'helper')
      const status = await kit.eventually('the crash is seen', async () => {
        const seen = await kit.status()
        return seen.services.helper?.state === 'failed' && seen
      })
      assert.deepEqual([status.state, status.ready], ['failed', false])
      assert.deepEqual([status.services.web?.state, status.services.web?.ready], ['running', true])
    },
  },
  {
    title: 'gives up on a service that crashes too often, and says so',
    rows: ['status', 'serviceSpec'],
    async run(kit) {
      const { replicas } = await kit.provision({ restart: { policy: 'always', maxPerHour: 1 } })
      const crash = (): Promise<void> => kit.harness.crash(replicas[0]?.engineId ?? '', 'web')
      await crash()
      await kit.eventually('it was restarted once', async () => (await kit.status()).restarts === 1)
      await kit.eventually('it runs again', async () => (await kit.status()).ready === true)
      await crash()
      const status = await kit.eventually('it has failed', async () => {
        const seen = await kit.status()
        return seen.state === 'failed' && seen.message !== undefined && seen
      })
      assert.match(status.message ?? '', /web/)
      // Where the engine itself does the restarting, the verdict is all there is.
      if (!kit.harness.engine.replicas) return
      await kit.pass(3000)
      assert.equal((await kit.status()).restarts, 1, 'it is not started again')
    },
  },
  {
    title: 'sees that a replica was removed by someone else, and brings it back when asked',
    rows: ['status'],
    async run(kit) {
      const { replicas } = await kit.provision({ replicas: 2 })
      const vanished = replicas[0]?.engineId ?? ''
      await kit.harness.vanish(vanished)
      if (!kit.harness.engine.replicas) {
        // Where the engine itself brings replicas back, nobody has to ask.
        await kit.eventually('another is in its place', async () => {
          const seen = await kit.settle(kit.harness.engine.look(kit.ref(), kit.call))
          const ready = seen?.replicas.filter((replica) => replica.ready).map(({ engineId }) => engineId) ?? []
          return ready.length === 2 && !ready.includes(vanished)
        })
        return
      }
      const status = await kit.eventually('it is missed', async () => {
        const seen = await kit.status()
        return seen.replicas.there === 1 && seen
      })
      assert.equal(status.ready, false)
      assert.notEqual(status.state, 'running')
      await kit.provision({ replicas: 2 })
      assert.deepEqual((await kit.status()).replicas, { wanted: 2, there: 2, ready: 2 })
    },
  },
  {
    title: 'gates readiness by the health check, and takes it back when the check fails',
    rows: ['status', 'serviceSpec'],
    async run(kit) {
      const healthCheck = { http: { port: 'http' }, intervalSeconds: 1, failureThreshold: 1 }
      const program = { listens: 'http', healthyAfterMs: 1500, healthyUntilMs: 6000 }
      const services = [kit.service(program, { ports: http, healthCheck })]
      const begun = kit.harness.clock.monotonic()
      await kit.provision({ services })
      assert.ok(kit.harness.clock.monotonic() - begun >= 1490, 'not ready before the check passes')
      const status = await kit.eventually('the check is seen to fail', async () => {
        const seen = await kit.status()
        return seen.ready === false && seen
      })
      assert.equal((await kit.processes()).length, 1, 'it is drained, not restarted')
      assert.equal(status.restarts, 0)
    },
  },
]
