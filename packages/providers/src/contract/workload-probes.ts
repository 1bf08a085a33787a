/** The fields around the services, and the finer ones within them, each with what must then be so. */
import assert from 'node:assert/strict'
import { type FieldProbe, httpPort as http, mebi } from './field-probe.ts'

export const workloadProbes: Readonly<Record<string, FieldProbe>> = {
  'resources.disk': {
    path: 'spec.services[0].resources.disk',
    input: (kit) => ({ services: [kit.service({}, { resources: { disk: '128Mi' } })] }),
    async verify(kit, input) {
      await kit.provision(input)
      assert.deepEqual(
        (await kit.processes()).map(({ limits }) => limits.diskBytes),
        [128 * mebi],
      )
    },
  },
  'resources.pids': {
    path: 'spec.services[0].resources.pids',
    input: (kit) => ({ services: [kit.service({}, { resources: { pids: 64 } })] }),
    async verify(kit, input) {
      await kit.provision(input)
      assert.deepEqual(
        (await kit.processes()).map(({ limits }) => limits.pids),
        [64],
      )
    },
  },
  'resources.gpu': {
    path: 'spec.services[0].resources.gpu',
    capability: 'gpu',
    input: (kit) => ({ services: [kit.service({}, { resources: { gpu: { count: 2 } } })] }),
    async verify(kit, input) {
      await kit.provision(input)
      assert.deepEqual(
        (await kit.processes()).map(({ limits }) => limits.gpus),
        [2],
      )
    },
  },
  'ports[].hostPort': {
    rows: ['shapes'],
    path: 'spec.services[0].ports[0].hostPort',
    input: async (kit) => ({
      services: [
        kit.service(
          { listens: 'http' },
          { ports: [{ name: 'http', port: 8080, hostPort: await kit.harness.freePort() }] },
        ),
      ],
    }),
    async verify(kit, input) {
      await kit.provision(input)
      const { endpoints } = await kit.status()
      const hostPort = input.services?.[0]?.ports?.[0]?.hostPort
      const open = endpoints.find(({ dial }) => 'port' in dial && dial.port === hostPort)
      assert.ok(open?.public, 'it is told as public')
      await kit.eventually('it answers', () => kit.settle(kit.harness.dial(open)))
    },
  },
  'healthCheck.tcp': {
    path: 'spec.services[0].healthCheck.tcp',
    input: (kit) => ({
      services: [kit.service({ listens: 'http' }, { ports: http, healthCheck: { tcp: { port: 'http' } } })],
    }),
    async verify(kit, input) {
      await kit.provision(input)
      assert.equal((await kit.status()).ready, true)
    },
  },
  'healthCheck.grpc': {
    path: 'spec.services[0].healthCheck.grpc',
    input: (kit) => ({ services: [kit.service({}, { ports: http, healthCheck: { grpc: { port: 'http' } } })] }),
    async verify(kit, input) {
      const deadline = { ...input, strategy: { progressDeadlineSeconds: 2 }, stopGraceSeconds: 1 }
      const work = kit.provider.provision({ ref: kit.ref(), spec: kit.spec(deadline) }, kit.call)
      await kit.refused(work, 'deadline_exceeded', 'rollout_stalled')
    },
  },
  'healthCheck.onUnhealthy': {
    path: 'spec.services[0].healthCheck.onUnhealthy',
    input: (kit) => ({
      services: [
        kit.service(
          { listens: 'http', healthyUntilMs: 4000 },
          {
            ports: http,
            healthCheck: { http: { port: 'http' }, intervalSeconds: 1, failureThreshold: 1, onUnhealthy: 'restart' },
          },
        ),
      ],
    }),
    async verify(kit, input) {
      await kit.provision(input)
      const [before] = await kit.processes()
      await kit.eventually('it is restarted', async () => {
        const [now] = await kit.processes()
        return now !== undefined && now.processId !== before?.processId
      })
    },
  },
  'restart.policy': {
    path: 'spec.restart.policy',
    input: (kit) => ({
      restart: { policy: 'on_failure' },
      services: [kit.service({ exits: { code: 0, afterMs: 3000 } })],
    }),
    async verify(kit, input) {
      await kit.provision(input)
      await kit.eventually('it has ended well', async () => (await kit.status()).state === 'stopped')
      await kit.pass(2000)
      assert.equal((await kit.status()).restarts, 0, 'an exit 0 is no failure')
    },
  },
  expose: {
    path: 'spec.expose',
    input: (kit) => ({ expose: 'node', services: [kit.service({ listens: 'http' }, { ports: http })] }),
    async verify(kit, input) {
      await kit.provision(input)
      const open = (await kit.status()).endpoints.find((endpoint) => endpoint.public)
      assert.ok(open, 'there is a public endpoint')
      await kit.eventually('it answers', () => kit.settle(kit.harness.dial(open)))
    },
  },
  'expose: load_balancer': {
    path: 'spec.expose',
    input: (kit) => ({ expose: 'load_balancer', services: [kit.service({ listens: 'http' }, { ports: http })] }),
    async verify(kit, input) {
      await kit.provision(input)
      assert.ok((await kit.status()).endpoints.some((endpoint) => endpoint.public))
    },
  },
}
