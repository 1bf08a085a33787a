/** Somebody takes a namespace away under what others wrote: nothing can be made in it, and that is no verdict about it. */
import { describe, expect, it } from 'vitest'
import { Kit } from '../contract/kit.ts'
import { type KubernetesHarness, kubernetesHarness } from '../testing/kubernetes-harness.ts'
import { kubernetesRig, testManager } from '../testing/kubernetes-rig.ts'
import { resources } from './api/resources.ts'

const rig = await kubernetesRig()
const call = { signal: new AbortController().signal }

describe('a namespace that somebody removes', { timeout: 240_000 }, () => {
  it('is waited for by a chart and by manifests that change meanwhile, and made anew with them in it', async ({
    skip,
  }) => {
    if ('missing' in rig) return skip(rig.missing)
    const harness = await kubernetesHarness(rig)
    const kit = new Kit(harness)
    try {
      await change(kit, harness, 'one')
      const { objects } = rig.api
      const namespace = harness.namespaceOf(kit.ref())
      const at = { resource: resources.namespace, name: namespace }
      const before = await objects.get(at, call)
      const held = { resource: resources.configMap, namespace, name: 'held' }
      const metadata = { name: 'held', finalizers: ['test.example/held'] }
      await objects.create(held, { apiVersion: 'v1', kind: 'ConfigMap', metadata }, { fieldManager: testManager }, call)
      await objects.delete(at, {}, call)
      const changing = change(kit, harness, 'two')
      // Told below; until then nobody else listens.
      changing.catch(() => undefined)
      await kit.eventually('nothing but what holds it is left', async () => {
        const left = (await harness.sources?.left(kit.ref())) ?? []
        return left.every((name) => name === 'ConfigMap/held')
      })
      const patch = { type: 'merge', body: { metadata: { finalizers: null } } } as const
      await objects.patch(held, patch, { fieldManager: testManager }, call)
      await changing
      const after = await objects.get(at, call)
      expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
      for (const name of ['set', 'chart']) {
        const status = await kit.status(kit.ref(name))
        expect([status.state, status.ready], name).toEqual(['running', true])
        await kit.gone(kit.ref(name))
      }
      expect(await harness.sources?.left(kit.ref())).toEqual([])
    } finally {
      await kit.close()
      await harness.dispose()
    }
  })
})

async function change(kit: Kit, { sources }: KubernetesHarness, text: string): Promise<void> {
  if (!sources) throw new Error('the harness has nothing written by others')
  const strategy = { progressDeadlineSeconds: 180 }
  const set = { services: [], strategy, source: { manifests: await sources.manifests(text) } }
  const chart = { services: [], strategy, source: { helm: await sources.helm(text) } }
  await Promise.all([kit.provision(set, kit.ref('set')), kit.provision(chart, kit.ref('chart'))])
}
