/** What people do with kubectl to what is ours: seen as drift and mended, or left alone where it is theirs. */
import { afterAll, describe, expect, it } from 'vitest'
import { Kit, type SpecInput } from '../contract/kit.ts'
import { type Kubectl, kubectl } from '../testing/kubectl.ts'
import { type KubernetesHarness, kubernetesHarness } from '../testing/kubernetes-harness.ts'
import { onSharedCluster } from '../testing/on-shared-cluster.ts'
import type { KubeObject } from './api/types/meta.ts'
import { instanceName } from './names.ts'
import type { Pod, WorkloadObject } from './observe/objects.ts'

type Many<T> = { readonly items: readonly T[] }

const workloads = [
  ['deployment', 'shop'],
  ['statefulset', 'ledger'],
] as const

describe('a person with kubectl', { timeout: 240_000 }, () => {
  let harness: KubernetesHarness
  let kit: Kit
  let client: Kubectl
  const on = onSharedCluster(async (rig) => {
    client = await kubectl(rig.address)
    harness = await kubernetesHarness(rig)
    kit = new Kit(harness)
    harness.secrets.put('keys', { api: 'open sesame', cert: 'a certificate' })
    await Promise.all(workloads.map(([, workload]) => pass(workload)))
  })
  afterAll(async () => {
    await kit?.close()
    await harness?.dispose()
  })

  const shop = (more: SpecInput = {}): SpecInput => ({
    replicas: 2,
    services: [
      kit.service(
        { listens: 'http', prints: [{ stream: 'stdout', line: 'hello from main' }] },
        {
          ports: [{ name: 'http', port: 8080 }],
          healthCheck: { http: { port: 'http', path: '/' }, intervalSeconds: 1 },
          env: { MODE: 'test' },
          secrets: [
            { name: 'keys', key: 'api', env: 'API_KEY' },
            { name: 'keys', key: 'cert', file: kit.path('cert') },
          ],
          configFiles: [{ name: 'conf', path: kit.path('app.conf'), content: 'a = 1\n' }],
          dependsOn: [{ service: 'helper', until: 'started' }],
        },
      ),
      kit.service({}, { name: 'helper', role: 'sidecar' }),
    ],
    ...more,
  })

  const specs = {
    shop,
    ledger: (): SpecInput => {
      const [main, ...others] = shop().services ?? []
      if (!main) throw new Error('there is no service')
      const volumes = [{ name: 'data', path: kit.path('data'), size: '16Mi', retain: false }]
      return shop({ type: 'stateful_set', services: [{ ...main, volumes }, ...others] })
    },
  }

  /** Until all is as it was asked for. */
  const pass = (workload: keyof typeof specs) => kit.provision(specs[workload](), kit.ref(workload))

  async function look(workload: string) {
    const observed = await harness.engine.look(kit.ref(workload), kit.call)
    if (!observed) throw new Error(`${workload} is not there`)
    return observed
  }

  const here = (...argv: string[]): string[] => ['--namespace', harness.namespaceOf(kit.ref()), ...argv]
  const targetOf = (kind: string, workload: string) =>
    `${kind}/${instanceName(harness.installation, kit.ref(workload))}`
  const of = (workload: string) => ['--selector', `gantry.dev/uid=${kit.ref(workload).uid}`]
  const live = (target: string) => client.json<WorkloadObject>('get', target, ...here())

  it.for(workloads)('who scales a %s is seen, and it is scaled back', async ([kind, workload]) => {
    const target = targetOf(kind, workload)
    expect((await look(workload)).drift).toEqual([])
    await client('scale', target, '--replicas=3', ...here())
    await expect.poll(async () => (await look(workload)).drift).toEqual(['spec.replicas'])
    await pass(workload)
    const { drift, replicas } = await look(workload)
    expect([drift, replicas.length, (await live(target)).spec?.replicas]).toEqual([[], 2, 2])
  })

  it.for(workloads)('who changes an image of a %s is seen, and has it back', async ([kind, workload]) => {
    const target = targetOf(kind, workload)
    await client('set', 'image', target, `helper=${on.rig.address.pauseImage}`, ...here())
    await expect.poll(async () => (await look(workload)).drift).toEqual(['spec.services[1].image'])
    await pass(workload)
    expect((await look(workload)).drift).toEqual([])
    const { items } = await client.json<Many<Pod>>('get', 'pods', ...here(...of(workload)))
    expect(items).toHaveLength(2)
    expect(JSON.stringify(items)).not.toContain(on.rig.address.pauseImage)
  })

  it('who adds fields that we say nothing of keeps them, also over the next release', async () => {
    const target = targetOf('deployment', 'shop')
    const nodeSelector = { 'kubernetes.io/os': 'linux' }
    const containers = [{ name: 'web', env: [{ name: 'DEBUG', value: 'on' }] }]
    const theirs = {
      metadata: { labels: { team: 'front' } },
      spec: { template: { spec: { nodeSelector, containers } } },
    }
    await client('patch', target, '--patch', JSON.stringify(theirs), ...here())
    const { generation } = (await live(target)).metadata
    await pass('shop')
    // There was nothing for us to change.
    expect([(await look('shop')).drift, (await live(target)).metadata.generation]).toEqual([[], generation])
    const input = shop()
    const [main, ...others] = input.services ?? []
    if (!main) throw new Error('there is no service')
    const next = { ...input, services: [{ ...main, env: { MODE: 'next' } }, ...others] }
    await kit.provision(next, kit.ref('shop'))
    const text = JSON.stringify(await live(target))
    for (const words of ['"team":"front"', '"kubernetes.io/os":"linux"', '"DEBUG"', '"next"'])
      expect(text).toContain(words)
    await pass('shop')
  })

  it('who restarts a rollout gets new pods, once, and it is no drift', async () => {
    const target = targetOf('deployment', 'shop')
    const ids = async () => (await look('shop')).replicas.map(({ engineId }) => engineId).sort()
    const before = await ids()
    await client('rollout', 'restart', target, ...here())
    await client('rollout', 'status', target, '--timeout=90s', ...here())
    await pass('shop')
    const after = await ids()
    expect([after.length, after.filter((id) => before.includes(id))]).toEqual([2, []])
    const { generation } = (await live(target)).metadata
    await pass('shop')
    expect([await ids(), (await look('shop')).drift]).toEqual([after, []])
    expect((await live(target)).metadata.generation).toBe(generation)
  })

  it.for(workloads)('who removes parts of a %s gets them back', async ([, workload]) => {
    const parts = async () => {
      const kinds = 'services,configmaps,secrets,poddisruptionbudgets'
      const { items } = await client.json<Many<KubeObject>>('get', kinds, ...here(...of(workload)))
      return new Map(items.map(({ kind, metadata }) => [`${kind}/${metadata.name}`, metadata.uid]))
    }
    const before = await parts()
    const names = [...before.keys()].sort()
    const kinds = new Set(names.map((name) => name.split('/', 1)[0]))
    expect(kinds).toEqual(new Set(['Service', 'ConfigMap', 'Secret', 'PodDisruptionBudget']))
    await client('delete', ...names, ...here())
    await pass(workload)
    const after = await parts()
    expect([...after.keys()].sort()).toEqual(names)
    for (const [name, uid] of after) expect(uid, name).not.toBe(before.get(name))
    expect((await look(workload)).replicas.filter(({ ready }) => ready)).toHaveLength(2)
  })

  it('who does not say which container means the main one', async () => {
    const target = targetOf('deployment', 'shop')
    expect(await client('logs', target, ...here())).toContain('hello from main')
    expect(await client('exec', target, ...here('--', 'sh', '-c', 'echo "$MODE"'))).toBe('test\n')
  })

  it('has our wishes said again by a server that knows nothing yet, and changes nothing by it', async () => {
    const versions = async () => {
      const kinds = 'deployments,statefulsets,services,configmaps,secrets,poddisruptionbudgets,pods'
      const { items } = await client.json<Many<KubeObject>>('get', kinds, ...here())
      return items.map(({ kind, metadata: { name, uid, generation = 0 } }) => [kind, name, uid, generation])
    }
    const before = await versions()
    const again = harness.over(await harness.reopen())
    for (const [, workload] of workloads) {
      const ref = kit.ref(workload)
      await again.provision({ ref, labels: {}, spec: kit.spec(specs[workload]()) }, kit.call)
    }
    expect(await versions()).toEqual(before)
  })
})
