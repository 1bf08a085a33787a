/** Start, stop, restart, for both kinds of workload. */
import assert from 'node:assert/strict'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'

export const lifecycleCases: readonly ContractCase[] = [
  ...(['deployment', 'stateful_set'] as const).map(
    (type): ContractCase => ({
      title: `stops a ${type} and starts as many replicas as there were`,
      rows: ['lifecycle', 'kinds'],
      async run(kit) {
        await kit.provision({ type, replicas: 3 })
        await kit.settle(kit.provider.stop(kit.ref(), kit.call))
        assert.deepEqual(await kit.processes(), [], 'no process is left')
        assert.equal((await kit.status()).state, 'stopped')
        await kit.settle(kit.provider.start(kit.ref(), kit.call))
        const status = await kit.status()
        assert.deepEqual([status.state, status.ready], ['running', true])
        assert.equal((await kit.processes()).length, 3)
      },
    }),
  ),
  ...(['deployment', 'stateful_set'] as const).map(
    (type): ContractCase => ({
      title: `replaces every process of a ${type} at a restart, and waits until the new ones are ready`,
      rows: ['lifecycle', 'kinds'],
      async run(kit) {
        const ports = [{ name: 'http', port: 8080 }]
        const web = kit.service(
          { listens: 'http', healthyAfterMs: 300 },
          { ports, healthCheck: { http: { port: 'http' } } },
        )
        await kit.provision({
          type,
          replicas: 2,
          services: [web, kit.service({}, { name: 'helper', role: 'sidecar' })],
        })
        const before = await processIds(kit)
        await kit.settle(kit.provider.restart(kit.ref(), kit.call))
        const after = await processIds(kit)
        assert.equal(after.length, 4)
        assert.deepEqual(
          after.filter((id) => before.includes(id)),
          [],
          'no process is from before',
        )
        assert.equal((await kit.status()).ready, true)
      },
    }),
  ),
  {
    title: 'keeps the release over stop, start and restart',
    rows: ['lifecycle', 'releases'],
    needs: ['exec'],
    async run(kit) {
      await kit.provision()
      const { release } = await kit.settle(
        kit.provider.deploy(kit.ref(), { services: [{ name: 'web', env: { COLOUR: 'red' } }] }, kit.call),
      )
      await kit.settle(kit.provider.stop(kit.ref(), kit.call))
      await kit.settle(kit.provider.start(kit.ref(), kit.call))
      await kit.settle(kit.provider.restart(kit.ref(), kit.call))
      assert.equal(await kit.env('COLOUR'), 'red')
      assert.equal((await kit.status()).release, release.id)
    },
  },
  {
    title: 'takes a second start or stop for done, and restarts nothing for it',
    rows: ['lifecycle', 'states'],
    async run(kit) {
      await kit.provision()
      const before = await processIds(kit)
      await kit.settle(kit.provider.start(kit.ref(), kit.call))
      assert.deepEqual(await processIds(kit), before)
      await kit.settle(kit.provider.stop(kit.ref(), kit.call))
      await kit.settle(kit.provider.stop(kit.ref(), kit.call))
      assert.equal((await kit.status()).state, 'stopped')
    },
  },
  {
    title: 'starts again what has failed for good',
    rows: ['lifecycle', 'states'],
    needs: ['restart: never'],
    async run(kit) {
      const { replicas } = await kit.provision({ restart: { policy: 'never' } })
      await kit.harness.crash(replicas[0]?.engineId ?? '', 'web')
      await kit.eventually('it has failed', async () => (await kit.status()).state === 'failed')
      await kit.settle(kit.provider.start(kit.ref(), kit.call))
      const { state, ready } = await kit.status()
      assert.deepEqual([state, ready, (await kit.processes()).length], ['running', true, 1])
    },
  },
  {
    title: 'refuses from the one table what makes no sense in a state',
    rows: ['states'],
    async run(kit) {
      await kit.provision()
      await kit.settle(kit.provider.stop(kit.ref(), kit.call))
      const fault = await kit.refused(kit.provider.restart(kit.ref(), kit.call), 'illegal_transition')
      assert.equal(fault.kind, 'conflict')
      assert.match(fault.message, /stopped/)
      assert.deepEqual(await kit.processes(), [])
    },
  },
  {
    title: 'lets the later of two changes have its way, and tells the earlier one',
    rows: ['lifecycle', 'states'],
    async run(kit) {
      const ports = [{ name: 'http', port: 8080 }]
      const slow = kit.service(
        { listens: 'http', healthyAfterMs: 2000 },
        { ports, healthCheck: { http: { port: 'http' } } },
      )
      const work = kit.provider.provision(
        { ref: kit.ref(), spec: kit.spec({ replicas: 2, services: [slow] }) },
        kit.call,
      )
      const outcome = work.then(
        () => 'done',
        (error: unknown) => error,
      )
      await kit.eventually('it has begun', async () => (await kit.processes()).length > 0)
      await kit.settle(kit.provider.stop(kit.ref(), kit.call))
      await kit.refused(Promise.reject(await kit.settle(outcome)), 'version_conflict')
      assert.deepEqual(await kit.processes(), [])
      assert.equal((await kit.status()).state, 'stopped')
    },
  },
  {
    title: 'knows no action on an instance that never was',
    rows: ['states', 'lifecycle'],
    async run(kit) {
      const { provider, call } = kit
      const unknown = { tenant: 'contract', workload: 'never', uid: 'never', slot: 'a' } as const
      for (const work of [
        () => provider.start(unknown, call),
        () => provider.stop(unknown, call),
        () => provider.restart(unknown, call),
        () => provider.deploy(unknown, { services: [] }, call),
        () => provider.rollback(unknown, 'r1', call),
        () => provider.scale(unknown, { replicas: 2 }, call),
      ]) {
        await kit.refused(work(), 'instance_not_found')
      }
    },
  },
  {
    title: 'stops with the reason it was given, whatever it was doing',
    rows: ['lifecycle'],
    async run(kit) {
      await kit.provision()
      const reason = new Error('shutting down')
      const call = { signal: AbortSignal.abort(reason) }
      const { provider } = kit
      const works = [
        () => provider.start(kit.ref(), call),
        () => provider.stop(kit.ref(), call),
        () => provider.restart(kit.ref(), call),
        () => provider.status(kit.ref(), call),
        () => provider.deprovision(kit.ref(), {}, call),
        () => provider.scale(kit.ref(), { replicas: 2 }, call),
        () => provider.deploy(kit.ref(), { services: [] }, call),
        () => provider.rollback(kit.ref(), 'r1', call),
        () => provider.orphans(call),
        () => provider.info(call),
      ]
      for (const work of works) await assert.rejects(kit.settle<unknown>(work()), (error) => error === reason)
      assert.equal((await kit.processes()).length, 1)
    },
  },
]

async function processIds(kit: Kit): Promise<string[]> {
  return (await kit.processes()).map(({ processId }) => processId).sort()
}
