/** Pods that find no node on the real cluster, with events of autoscalers posted as those write them. */
import { randomUUID } from 'node:crypto'
import { isFault } from '@gantry/core'
import { afterAll, describe, expect, it } from 'vitest'
import { Kit, type SpecInput } from '../../contract/kit.ts'
import { type KubernetesHarness, kubernetesHarness } from '../../testing/kubernetes-harness.ts'
import { testManager } from '../../testing/kubernetes-rig.ts'
import { onSharedCluster } from '../../testing/on-shared-cluster.ts'
import { resources } from '../api/resources.ts'
import type { Pod } from '../observe/objects.ts'
import { placeMs } from './verdict.ts'

describe('a pod that finds no node', { timeout: 240_000 }, () => {
  let harness: KubernetesHarness
  let kit: Kit
  const on = onSharedCluster(async (rig) => {
    harness = await kubernetesHarness(rig)
    kit = new Kit(harness)
  })
  const wished = `gantry.test/${randomUUID()}`
  const labelNode = async (value: string | null, key = wished): Promise<void> => {
    const { items } = await on.rig.api.objects.list({ resource: resources.node }, {}, kit.call)
    const name = items[0]?.metadata.name ?? ''
    const body = { metadata: { labels: { [key]: value } } }
    await on.rig.api.objects.patch(
      { resource: resources.node, name },
      { type: 'merge', body },
      { fieldManager: testManager },
      kit.call,
    )
  }
  afterAll(async () => {
    for (const key of [wished, `${wished}-4`]) if (kit) await labelNode(null, key)
    await kit?.close()
    await harness?.dispose()
  })

  /** A pod that was made for this workload, once the scheduler has said that no node takes it. */
  const unplaced = (workload: string): Promise<Pod> =>
    kit.eventually('a pod that no node takes', async () => {
      const namespace = harness.namespaceOf(kit.ref())
      const { items } = await on.rig.api.objects.list<Pod>({ resource: resources.pod, namespace }, {}, kit.call)
      return items.find(
        ({ metadata, status }) =>
          metadata.name.includes(workload) && status?.conditions?.some(({ reason }) => reason === 'Unschedulable'),
      )
    })

  const post = async ({ metadata }: Pod, component: string, reason: string, message: string): Promise<void> => {
    const { name, namespace = '', uid } = metadata
    const at = `${new Date().toISOString().slice(0, 19)}Z`
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${randomUUID().slice(0, 12)}`, namespace },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace, uid },
      reason,
      message,
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
      type: 'Normal',
      count: 1,
      firstTimestamp: at,
      lastTimestamp: at,
    }
    const of = { resource: resources.event, namespace }
    await on.rig.api.objects.create(of, event, { fieldManager: testManager }, kit.call)
  }

  const spec = (key: string, more: SpecInput = {}): SpecInput => ({
    engine: { kubernetes: { nodeSelector: { [key]: 'yes' } } },
    ...more,
  })
  const look = async (workload: string) => await harness.engine.look(kit.ref(workload), kit.call)
  const sayings = async (workload: string): Promise<readonly (string | undefined)[]> =>
    (await look(workload))?.replicas.flatMap(({ services }) => Object.values(services).map((each) => each.message)) ??
    []

  it('waits for as long as an autoscaler says that one comes, and is deployed when it does', async () => {
    const words = 'pod triggered scale-up: [{nodes-a 1->2 (max: 8)}]'
    const deployed = kit.provision(spec(wished), kit.ref('grows')).then(
      () => 'deployed',
      (error: unknown) => `failed: ${error}`,
    )
    const pod = await unplaced('grows')
    await post(pod, 'cluster-autoscaler', 'TriggeredScaleUp', words)
    await expect.poll(() => sayings('grows')).toEqual([`waiting for a node: ${words}`])
    // Longer than without that word.
    const made = Date.parse(pod.metadata.creationTimestamp ?? '')
    await expect.poll(() => Date.now() - made).toBeGreaterThan(placeMs + 5000)
    expect((await look('grows'))?.stalled).toBeUndefined()
    await labelNode('yes')
    expect(await deployed).toBe('deployed')
  })

  it('is a stall in both their words where an autoscaler says that it cannot help', async () => {
    const words = "pod didn't trigger scale-up: 1 max node group size reached"
    const deployed = kit.provision(spec(`${wished}-2`), kit.ref('full'))
    const failed = expect(deployed).rejects.toSatisfy(
      (error) => isFault(error) && error.message.includes('node affinity/selector') && error.message.includes(words),
    )
    await post(await unplaced('full'), 'cluster-autoscaler', 'NotTriggerScaleUp', words)
    await failed
  })

  it('is waited for in the same way where somebody else wrote it', async () => {
    const words = 'Pod should schedule on: nodeclaim/general-x7k2p'
    const text = `apiVersion: apps/v1
kind: Deployment
metadata: {name: theirs}
spec:
  selector: {matchLabels: {app: theirs}}
  template:
    metadata: {labels: {app: theirs}}
    spec:
      terminationGracePeriodSeconds: 0
      nodeSelector: {${wished}-4: 'yes'}
      containers: [{name: main, image: ${on.rig.address.pauseImage}}]
`
    const deployed = kit.provision({ source: { manifests: { text } } }, kit.ref('set')).then(
      () => 'deployed',
      (error: unknown) => `failed: ${error}`,
    )
    const pod = await unplaced('theirs')
    await post(pod, 'karpenter', 'Nominated', words)
    const message = `waiting for a node for ${pod.metadata.name}: ${words}`
    await expect.poll(() => sayings('set')).toEqual([message])
    const made = Date.parse(pod.metadata.creationTimestamp ?? '')
    await expect.poll(() => Date.now() - made).toBeGreaterThan(placeMs + 5000)
    expect((await look('set'))?.stalled).toBeUndefined()
    await labelNode('yes', `${wished}-4`)
    expect(await deployed).toBe('deployed')
  })

  it('is a stall where nobody says anything', async () => {
    await expect(kit.provision(spec(`${wished}-3`), kit.ref('alone'))).rejects.toMatchObject({
      reason: 'rollout_stalled',
    })
  })
})
