/** What a release keeps of a tag, as the pods of a real cluster show it. */
import { describe, expect, it } from 'vitest'
import type { Kit } from '../contract/kit.ts'
import { label } from '../labels.ts'
import { overlay } from '../overlay.ts'
import type { KubernetesHarness } from '../testing/kubernetes-harness.ts'
import type { KubernetesRig } from '../testing/kubernetes-rig.ts'
import { onKubernetes } from '../testing/on-kubernetes.ts'
import { resources } from './api/resources.ts'
import type { Deployment } from './api/types/workloads.ts'
import { instanceName } from './names.ts'

type On = { readonly kit: Kit; readonly harness: KubernetesHarness; readonly rig: KubernetesRig }

describe('what a release keeps of its tags', { timeout: 240_000 }, () => {
  it('comes with the next release where it could not be kept before: what runs goes on as it is', (context) =>
    onKubernetes(context, async (on) => {
      const { kit, harness } = on
      const image = await imageOf(harness, 'older:1')
      // As the engine was before it asked registries.
      const older = harness.over(overlay(harness.engine, { resolveImage: undefined as never }))
      const spec = kit.spec({ services: [{ name: 'web', image }] })
      const before = await older.provision({ ref: kit.ref(), spec }, kit.call)
      expect(before.release.images).toEqual({})
      const made = await templateOf(on)
      expect(made.container).toMatchObject({ image })
      const upgraded = harness.over(await harness.reopen())
      const running = await harness.engine.look(kit.ref(), kit.call)
      await upgraded.scale(kit.ref(), { replicas: 2 }, kit.call)
      expect(await templateOf(on)).toEqual(made)
      const scaled = await harness.engine.look(kit.ref(), kit.call)
      const ids = scaled?.replicas.map(({ engineId }) => engineId)
      expect(ids).toHaveLength(2)
      expect(ids).toContain(running?.replicas[0]?.engineId)
      const { release } = await upgraded.deploy(kit.ref(), { services: [{ name: 'web', env: { A: '1' } }] }, kit.call)
      expect(release.images.web).toMatch(/@sha256:[0-9a-f]{64}$/)
      const deployed = await templateOf(on)
      expect(deployed.container).toMatchObject({ image: release.images.web, imagePullPolicy: 'IfNotPresent' })
      expect(deployed.hash).not.toBe(made.hash)
    }))

  it('is what is named where it cannot be had', (context) =>
    onKubernetes(context, async ({ kit, harness }) => {
      const image = await imageOf(harness, 'lost:1')
      // As if somebody had taken it away between the question and the pull.
      const pin = `${image.replace(/:1$/, '')}@sha256:${'0'.repeat(64)}`
      const provider = harness.over(overlay(harness.engine, { resolveImage: async () => pin }))
      const spec = kit.spec({ services: [{ name: 'web', image }] })
      const fault = await kit.refused(provider.provision({ ref: kit.ref(), spec }, kit.call), 'image_pull_failed')
      expect(fault.message).toContain(pin)
    }))
})

async function imageOf({ image }: KubernetesHarness, name: string): Promise<string> {
  if (!image) throw new Error('the harness makes images')
  return await image({ prints: [{ stream: 'stdout', line: 'hello' }] }, name)
}

async function templateOf({ kit, harness, rig }: On) {
  const [namespace, name] = [harness.namespaceOf(kit.ref()), instanceName(harness.installation, kit.ref())]
  const found = await rig.api.objects.get<Deployment>({ resource: resources.deployment, namespace, name }, kit.call)
  const { metadata, spec } = found?.spec.template ?? {}
  return { hash: metadata?.labels?.[label.specHash], container: spec?.containers[0] }
}
