/** What the cluster's own client shows of our objects is what we say of them, and what people do with it stays. */
import { afterAll, describe, expect, it } from 'vitest'
import { Kit, type SpecInput } from '../contract/kit.ts'
import { overlay } from '../overlay.ts'
import { type Kubectl, kubectl } from '../testing/kubectl.ts'
import { type KubernetesHarness, kubernetesHarness } from '../testing/kubernetes-harness.ts'
import { onSharedCluster } from '../testing/on-shared-cluster.ts'
import type { KubernetesApi } from './api/api.ts'
import { connectKubernetes } from './api/connect.ts'
import type { KubeObject } from './api/types/meta.ts'
import { instanceName } from './names.ts'
import { podOfEngineId } from './observe/observed-of.ts'

type Items<T> = { readonly items: readonly T[] }
type Controller = KubeObject & {
  readonly spec: { readonly replicas: number }
  readonly status: { readonly replicas: number; readonly readyReplicas: number; readonly updatedReplicas: number }
}
type Pod = KubeObject & {
  readonly status: {
    readonly phase: string
    readonly podIP: string
    readonly containerStatuses: readonly {
      readonly name: string
      readonly ready: boolean
      readonly restartCount: number
      readonly containerID: string
    }[]
  }
}
type Service = KubeObject & {
  readonly spec: {
    readonly clusterIP: string
    readonly sessionAffinity?: string
    readonly ports: readonly { readonly port: number }[]
  }
}

/** All that was applied, as it was sent last. */
function recorded(api: KubernetesApi, bodies: Map<string, object>): KubernetesApi {
  const objects = overlay(api.objects, {
    apply: async (at, object, options, call) => {
      bodies.set(`${at.resource.kind} ${at.namespace} ${at.name}`, object)
      return await api.objects.apply(at, object, options, call)
    },
  })
  return overlay(api, { objects })
}

describe('kubectl', () => {
  let harness: KubernetesHarness
  let kit: Kit
  let client: Kubectl
  let api: KubernetesApi
  let namespace = ''
  const bodies = new Map<string, object>()
  onSharedCluster(async (rig) => {
    client = await kubectl(rig.address)
    const call = { signal: AbortSignal.timeout(600_000) }
    api = await connectKubernetes(rig.config, call)
    harness = await kubernetesHarness(rig, { api: recorded(api, bodies) })
    kit = new Kit(harness)
    namespace = harness.namespaceOf(kit.ref())
    await Promise.all([kit.provision(shop(), kit.ref('shop')), kit.provision(ledger(), kit.ref('ledger'))])
  })
  afterAll(async () => {
    await kit?.close()
    await harness?.dispose()
    api?.close()
  })

  const web = (more: object = {}) =>
    kit.service(
      { listens: 'http' },
      { ports: [{ name: 'http', port: 8080 }], healthCheck: { http: { port: 'http' } }, ...more },
    )

  const shop = (more: SpecInput = {}): SpecInput => ({
    replicas: 2,
    services: [
      web({
        env: { COLOUR: 'blue' },
        resources: { cpu: '100m', memory: '64Mi' },
        configFiles: [{ name: 'f', path: kit.path('f'), content: 'kept' }],
      }),
      kit.service({}, { name: 'helper', role: 'sidecar' }),
      kit.service({ exits: { code: 0, afterMs: 10 } }, { name: 'migrate', role: 'init' }),
    ],
    ...more,
  })

  const ledger = (): SpecInput => ({
    type: 'stateful_set',
    replicas: 2,
    services: [web({ volumes: [{ name: 'data', path: '/data', type: 'persistent', size: '16Mi', retain: false }] })],
  })

  const nameOf = (workload: string) => instanceName(harness.installation, kit.ref(workload))
  const inSpace = (...argv: string[]) => ['--namespace', namespace, ...argv]
  const selected = (workload: string) => ['--selector', `gantry.dev/uid=${kit.ref(workload).uid}`]

  it.for([
    ['deployment', 'shop'],
    ['statefulset', 'ledger'],
  ] as const)('shows the %s, its pods and its Services as we say that they are', async ([kind, workload]) => {
    const ref = kit.ref(workload)
    const observed = await harness.engine.look(ref, kit.call)
    const replicas = observed?.replicas ?? []
    const controller = await client.json<Controller>('get', kind, ...inSpace(nameOf(workload)))
    expect(controller.spec.replicas).toBe(2)
    expect(controller.status).toMatchObject({ replicas: 2, readyReplicas: 2, updatedReplicas: 2 })
    expect(replicas.filter(({ ready }) => ready)).toHaveLength(controller.status.readyReplicas)
    const table = await client('get', kind, ...inSpace(nameOf(workload), '--no-headers'))
    expect(table.split(/\s+/).slice(0, 2)).toEqual([nameOf(workload), '2/2'])

    const { items: pods } = await client.json<Items<Pod>>('get', 'pods', ...inSpace(...selected(workload)))
    const named = replicas.map(({ engineId }) => podOfEngineId(engineId)?.name).sort()
    expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual(named)
    for (const { metadata, status } of pods) {
      const said = replicas.find(({ engineId }) => podOfEngineId(engineId)?.uid === metadata.uid)
      expect(status.phase).toBe('Running')
      expect(said?.endpoints.map(({ dial }) => 'host' in dial && dial.host)).toEqual([status.podIP])
      for (const { name, ready, restartCount, containerID } of status.containerStatuses) {
        expect(said?.services[name]).toMatchObject({ ready, restarts: restartCount, engineId: containerID })
      }
    }
    const rows = await client('get', 'pods', ...inSpace(...selected(workload), '--no-headers'))
    const containers = pods[0]?.status.containerStatuses.length
    for (const row of rows.trim().split('\n')) expect(row.split(/\s+/)[1]).toBe(`${containers}/${containers}`)

    const service = await client.json<Service>('get', 'service', ...inSpace(nameOf(workload)))
    const stable = observed?.endpoints.map(({ dial }) => dial)
    expect(stable).toEqual([{ host: service.spec.clusterIP, port: service.spec.ports[0]?.port }])
    for (const what of [kind, 'service']) {
      expect(await client('describe', what, ...inSpace(nameOf(workload)))).toContain(nameOf(workload))
    }
    const described = await client('describe', 'pods', ...inSpace(...selected(workload)))
    for (const name of named) expect(described).toMatch(new RegExp(`^Name: +${name}$`, 'm'))
  })

  it('finds no difference between what is there and what we applied', async () => {
    const documents = [...bodies.values()].map((body) => JSON.stringify(body)).join('\n---\n')
    expect(bodies.size).toBeGreaterThanOrEqual(8)
    const as = ['--server-side', '--field-manager', 'gantry', '--force-conflicts', '--filename', '-']
    const diff = await client.ended(['diff', ...as], documents)
    expect([diff.code, diff.stdout, diff.stderr]).toEqual([0, '', ''])
    const dry = await client.ended(['apply', ...as, '--dry-run=server', '--output', 'json'], documents)
    expect([dry.code, dry.stderr]).toEqual([0, ''])
    for (const planned of (JSON.parse(dry.stdout) as Items<KubeObject>).items) {
      const { name, namespace: place = '', resourceVersion } = planned.metadata
      const where = place === '' ? [] : ['--namespace', place]
      const live = await client.json<KubeObject>('get', planned.kind, name, ...where)
      // A pass writes again only what is not so: an object that is said again as it is keeps its version.
      expect([planned.kind, name, resourceVersion]).toEqual([planned.kind, name, live.metadata.resourceVersion])
    }
  })

  it('says that a rollout is done when we do, and not before', async () => {
    const ref = kit.ref('shop')
    const status = (...more: string[]) =>
      client.ended(['rollout', 'status', 'deployment', ...inSpace(nameOf('shop')), ...more])
    expect(await status('--watch=false')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('successfully rolled out'),
    })
    const input = shop()
    const [main, ...rest] = input.services ?? []
    const stuck = { ...input, services: [{ ...main, image: harness.missingImage ?? '' }, ...rest] } as SpecInput
    const wish = { ...kit.desired(stuck, ref), specHash: 'stuck', release: 'v2' }
    await kit.eventually('it waits', async () => {
      const pass = await harness.engine.converge(wish, kit.call)
      expect(pass.state).toBe('yield')
      return (await harness.engine.look(ref, kit.call))?.stalled
    })
    const waiting = await status('--watch=false')
    expect(waiting.stdout).toContain('Waiting for deployment')
    await kit.provision(shop(), ref)
    expect((await status('--timeout=1s')).code).toBe(0)
  })

  it('has what people did with it left as it is, unless it is ours', async () => {
    const ref = kit.ref('shop')
    const at = inSpace(nameOf('shop'))
    await client('annotate', 'deployment', ...at, 'people.example/why=because')
    await client('label', 'service', ...at, 'people.example/team=a')
    const patch = JSON.stringify({ spec: { sessionAffinity: 'ClientIP' } })
    await client('patch', 'service', ...at, '--type', 'merge', '--patch', patch)
    // What is ours comes back with the next pass.
    await client('scale', 'deployment', ...at, '--replicas', '4')
    await kit.provision(shop({ replicas: 3 }), ref)
    const now = await client.json<Controller>('get', 'deployment', ...at)
    expect(now.metadata.annotations).toMatchObject({ 'people.example/why': 'because' })
    expect(now.spec.replicas).toBe(3)
    const service = await client.json<Service>('get', 'service', ...at)
    expect(service.metadata.labels).toMatchObject({ 'people.example/team': 'a' })
    expect(service.spec.sessionAffinity).toBe('ClientIP')
    expect((await harness.engine.look(ref, kit.call))?.drift).toEqual([])
  })

  it('finds nothing of ours once it is gone', async () => {
    await Promise.all([kit.gone(kit.ref('shop')), kit.gone(kit.ref('ledger'))])
    const kinds = 'deployments,statefulsets,replicasets,pods,services,configmaps,secrets,pvc,pdb,endpointslices'
    const of = ['--selector', `gantry.dev/installation=${harness.installation}`]
    expect(await client('get', kinds, ...inSpace(...of, '--ignore-not-found', '--output', 'name'))).toBe('')
  })
})
