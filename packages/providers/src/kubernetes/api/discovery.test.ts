import { describe, expect, it } from 'vitest'
import { kubernetesRig, testManager } from '../../testing/kubernetes-rig.ts'
import { connectKubernetes } from './connect.ts'
import { resources } from './resources.ts'

const call = { signal: AbortSignal.timeout(900_000) }

describe('the kinds of a real cluster', () => {
  it('are known, and young ones are found when they are asked for', async ({ skip }) => {
    const rig = await kubernetesRig()
    if ('missing' in rig) return skip(rig.missing)
    const api = await connectKubernetes(rig.config, call)
    const { discovery, objects } = api
    expect(await discovery.version(call)).toMatchObject({ gitVersion: `v${rig.address.version}` })
    for (const resource of Object.values(resources)) {
      const { group, version, kind } = resource
      expect(await discovery.resource(group === '' ? version : `${group}/${version}`, kind, call)).toEqual(resource)
    }
    const { resources: all } = await discovery.all(call)
    expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Pod', 'Deployment', 'Ingress', 'Lease']))
    expect(all.map(({ kind }) => kind)).not.toContain('Binding')
    expect(await discovery.resource('young.gantry.test/v1', 'Widget', call)).toBeUndefined()
    const name = 'widgets.young.gantry.test'
    const at = { resource: resources.customResourceDefinition, name }
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: {
        group: 'young.gantry.test',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    }
    await objects.apply(at, definition, { fieldManager: testManager, force: true }, call)
    const own = await rig.ownNamespace()
    try {
      await expect
        .poll(() => discovery.resource('young.gantry.test/v1', 'Widget', call))
        .toMatchObject({ plural: 'widgets' })
      const resource = await discovery.resource('young.gantry.test/v1', 'Widget', call)
      if (!resource) throw new Error('it was there a moment ago')
      const widget = {
        apiVersion: 'young.gantry.test/v1',
        kind: 'Widget',
        metadata: { name: 'w' },
        spec: { deep: [{ a: null, b: 1.5 }] },
      }
      const of = { resource, namespace: own.name }
      expect(await objects.create(of, widget, { fieldManager: testManager }, call)).toMatchObject(widget)
      expect(await objects.get({ ...of, name: 'w' }, call)).toMatchObject(widget)
    } finally {
      await own.end()
      await objects.delete(at, {}, call)
    }
  })

  it('are more than ours: any path can be asked', async ({ skip }) => {
    const rig = await kubernetesRig()
    if ('missing' in rig) return skip(rig.missing)
    expect(await rig.api.raw('/apis/apps/v1', call)).toMatchObject({ kind: 'APIResourceList' })
    expect(await rig.api.raw('/no/such/path', call)).toBeUndefined()
  })
})
