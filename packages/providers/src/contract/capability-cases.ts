/** What is listed works; what is not listed is refused before anything is touched. */
import assert from 'node:assert/strict'
import type { Capability } from '@gantry/core'
import { capabilitiesOf, hasCapability } from '../capabilities.ts'
import type { ContractCase } from './case.ts'
import type { Kit, SpecInput } from './kit.ts'

/** Nothing in this suite can prove these yet, so nobody may declare them yet; each comes with its cases. */
const unprovable: readonly Capability[] = ['autoscale', 'custom-domains', 'tls', 'source:argo']

/** What asks for a capability, so that its absence can be met. */
const asking = (kit: Kit): Partial<Record<Capability, { input: SpecInput; path: string }>> => ({
  'strategy:rolling': { input: { strategy: { type: 'rolling' } }, path: 'spec.strategy.type' },
  'strategy:blue-green': { input: { strategy: { type: 'blue_green' } }, path: 'spec.strategy.type' },
  'strategy:canary': { input: { strategy: { type: 'canary' } }, path: 'spec.strategy.type' },
  gpu: {
    input: { services: [kit.service({}, { resources: { gpu: { count: 1 } } })] },
    path: 'spec.services[0].resources.gpu',
  },
  volumes: {
    input: { services: [kit.service({}, { volumes: [{ name: 'data', path: kit.path('data'), type: 'persistent' }] })] },
    path: 'spec.services[0].volumes[0].type',
  },
  'source:manifests': {
    input: { source: { manifests: { text: manifest } } },
    path: 'spec.source.manifests',
  },
  'source:helm': {
    input: { source: { helm: { chart: { repository: { url: 'https://charts.example', name: 'web' } } } } },
    path: 'spec.source.helm',
  },
})

const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: of-the-contract }\n'

export const capabilityCases: readonly ContractCase[] = [
  {
    title: 'lists what its methods are, and has a method for what it lists',
    rows: ['capabilities'],
    async run({ provider }) {
      const offered = capabilitiesOf(provider)
      for (const method of ['provision', 'deploy', 'scale', 'logs', 'exec'] as const) {
        assert.equal(offered.has(method), typeof provider[method] === 'function', method)
        assert.equal(hasCapability(provider, method), offered.has(method))
      }
      assert.equal(offered.has('exec:kill') && !offered.has('exec'), false, 'what cannot exec cannot kill an exec')
      assert.equal(
        offered.has('logs:streams') && !offered.has('logs'),
        false,
        'what has no logs has no streams of them',
      )
    },
  },
  {
    title: 'declares nothing that no case here can hold it to',
    rows: ['capabilities', 'autoscale'],
    async run({ provider }) {
      const offered = capabilitiesOf(provider)
      assert.deepEqual(
        unprovable.filter((capability) => offered.has(capability)),
        [],
      )
    },
  },
  {
    title: 'refuses what it does not offer with its path and the nearest way, and touches nothing',
    rows: ['capabilities'],
    async run(kit) {
      const offered = capabilitiesOf(kit.provider)
      for (const [capability, { input, path }] of Object.entries(asking(kit))) {
        const request = { ref: kit.ref(), spec: kit.spec(input) }
        if (offered.has(capability as Capability)) {
          assert.deepEqual(
            kit.harness.engine.check(kit.desired(input)).filter((issue) => issue.path === path),
            [],
          )
          continue
        }
        const work = kit.provider.provision(request, kit.call)
        const fault = await kit.refused(work, 'capability_missing', 'field_unsupported')
        assert.equal(fault.kind, 'unsupported')
        const issue = fault.issues.find((each) => each.path === path)
        assert.ok(issue, `${capability} is refused at ${path}`)
        assert.ok(issue.message.includes(';'), 'it names the nearest way')
        await kit.assertUntouched()
      }
    },
  },
  {
    title: 'replaces replicas one by one under rolling, and never has fewer ready than asked for',
    rows: ['capabilities', 'deploy'],
    needs: ['strategy:rolling'],
    async run(kit) {
      const ports = [{ name: 'http', port: 8080 }]
      const slow = { listens: 'http', healthyAfterMs: 400 }
      const healthCheck = { http: { port: 'http' } }
      await kit.provision({ replicas: 3, services: [kit.service(slow, { ports, healthCheck })] })
      const leave = new AbortController()
      const least = fewestReady(kit, leave.signal)
      await kit.settle(kit.provider.deploy(kit.ref(), { services: [{ name: 'web', env: { V: '2' } }] }, kit.call))
      leave.abort()
      assert.equal(await kit.settle(least), 3, 'three are ready at every moment')
    },
  },
  {
    title: 'replaces everything at once under recreate, old and new never side by side',
    rows: ['deploy'],
    async run(kit) {
      await kit.provision({ replicas: 2, strategy: { type: 'recreate' } })
      const leave = new AbortController()
      const mixed = everMixed(kit, leave.signal)
      await kit.settle(kit.provider.deploy(kit.ref(), { services: [{ name: 'web', env: { V: '2' } }] }, kit.call))
      leave.abort()
      assert.equal(await kit.settle(mixed), false)
    },
  },
  {
    title: 'runs two slots of one workload side by side, each with its own release',
    rows: ['capabilities'],
    needs: ['strategy:blue-green', 'exec'],
    run: twoSlots,
  },
  {
    title: 'keeps the stable slot untouched while the candidate comes and goes',
    rows: ['capabilities'],
    needs: ['strategy:canary'],
    async run(kit) {
      await kit.provision({ replicas: 2 }, kit.ref('web', 'a'))
      const before = (await kit.processes(kit.ref('web', 'a'))).map(({ processId }) => processId).sort()
      await kit.provision({ replicas: 1 }, kit.ref('web', 'b'))
      await kit.gone(kit.ref('web', 'b'))
      const after = (await kit.processes(kit.ref('web', 'a'))).map(({ processId }) => processId).sort()
      assert.deepEqual(after, before)
      await kit.assertUntouched(kit.ref('web', 'b'))
    },
  },
  {
    title: 'gives a service the graphics processors it asks for',
    rows: ['capabilities', 'serviceSpec'],
    needs: ['gpu'],
    async run(kit) {
      await kit.provision({ services: [kit.service({}, { resources: { gpu: { count: 1 } } })] })
      assert.deepEqual(
        (await kit.processes()).map(({ limits }) => limits.gpus),
        [1],
      )
    },
  },
]

async function twoSlots(kit: Kit): Promise<void> {
  const [a, b] = [kit.ref('web', 'a'), kit.ref('web', 'b')]
  await kit.provision({ services: [kit.service({}, { env: { COLOUR: 'blue' } })] }, a)
  await kit.provision({ services: [kit.service({}, { env: { COLOUR: 'green' } })] }, b)
  assert.equal(await kit.env('COLOUR', {}, a), 'blue')
  assert.equal(await kit.env('COLOUR', {}, b), 'green')
  await kit.gone(a)
  await kit.assertUntouched(a)
  assert.equal(await kit.env('COLOUR', {}, b), 'green')
}

/** Watches from beside, since whoever rolls does not tell on himself. */
async function fewestReady(kit: Kit, signal: AbortSignal): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for await (const replicas of seenReplicas(kit, signal)) {
    least = Math.min(least, replicas.filter(({ ready, terminating }) => ready && !terminating).length)
  }
  return least
}

async function everMixed(kit: Kit, signal: AbortSignal): Promise<boolean> {
  let mixed = false
  for await (const replicas of seenReplicas(kit, signal)) {
    mixed ||=
      new Set(replicas.filter(({ services }) => services.web?.phase === 'running').map((each) => each.specHash)).size >
      1
  }
  return mixed
}

async function* seenReplicas(kit: Kit, signal: AbortSignal) {
  try {
    for await (const seen of kit.harness.engine.observe({ signal })) {
      if (seen.type === 'changed') yield seen.instance.replicas
      if (seen.type === 'snapshot') for (const instance of seen.instances) yield instance.replicas
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
