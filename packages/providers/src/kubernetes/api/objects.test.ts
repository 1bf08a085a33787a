import { describe, expect, it } from 'vitest'
import { testManager } from '../../testing/kubernetes-rig.ts'
import { inOwnNamespace } from '../../testing/on-shared-cluster.ts'
import type { WatchEvent } from './api.ts'
import { connectKubernetes } from './connect.ts'
import { resources } from './resources.ts'
import type { KubeObject } from './types/meta.ts'

const call = { signal: AbortSignal.timeout(900_000) }
const { configMap: resource } = resources
const write = { fieldManager: testManager }

type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> }

const written = (name: string, data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
})

describe('objects of a real cluster', () => {
  let namespace = ''
  const on = inOwnNamespace(async (made) => {
    namespace = made.namespace
  })

  it('are made, read, changed, replaced and removed', async () => {
    const { objects } = on.rig.api
    const at = { resource, namespace, name: 'whole' }
    expect(await objects.get(at, call)).toBeUndefined()
    const made = await objects.create<ConfigMap>({ resource, namespace }, written('whole', { a: '1' }), write, call)
    expect(made).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } })
    const twice = objects.create({ resource, namespace }, written('whole', {}), write, call)
    await expect(twice).rejects.toMatchObject({ reason: 'engine_object_exists' })
    const changed = await objects.patch<ConfigMap>(at, { type: 'merge', body: { data: { b: '2' } } }, write, call)
    expect(changed?.data).toEqual({ a: '1', b: '2' })
    const replaced = await objects.replace<ConfigMap>(at, { ...changed, data: { c: '3' } }, write, call)
    expect(replaced.data).toEqual({ c: '3' })
    const stale = objects.replace(at, { ...made, data: {} }, write, call)
    await expect(stale).rejects.toMatchObject({ reason: 'version_conflict' })
    const steps = [{ op: 'test', path: '/data/c', value: 'no' } as const]
    await expect(objects.patch(at, { type: 'json', body: steps }, write, call)).rejects.toMatchObject({
      reason: 'engine_rejected',
    })
    expect(await objects.get<ConfigMap>(at, call)).toMatchObject({ data: { c: '3' } })
    expect(await objects.delete(at, { uid: 'another' }, call)).toBeUndefined()
    expect(await objects.get(at, call)).toBeDefined()
    expect(await objects.delete(at, { uid: made.metadata.uid ?? '' }, call)).toBeUndefined()
    expect(await objects.get(at, call)).toBeUndefined()
    expect(await objects.delete(at, {}, call)).toBeUndefined()
    expect(await objects.patch(at, { type: 'merge', body: {} }, write, call)).toBeUndefined()
  })

  it('answer what is left of one that is kept, until it is let go', async () => {
    const { objects } = on.rig.api
    const at = { resource, namespace, name: 'kept' }
    const finalizers = ['gantry.test/keep']
    await objects.create({ resource, namespace }, written('kept', {}, { finalizers }), write, call)
    expect(await objects.delete(at, {}, call)).toMatchObject({ metadata: { name: 'kept', finalizers } })
    expect(await objects.delete(at, {}, call)).toMatchObject({ metadata: { name: 'kept' } })
    await objects.patch(at, { type: 'merge', body: { metadata: { finalizers: null } } }, write, call)
    expect(await objects.get(at, call)).toBeUndefined()
  })

  it('change nothing on a dry run', async () => {
    const { objects } = on.rig.api
    const at = { resource, namespace, name: 'dry' }
    const dry = { ...write, dryRun: true }
    const said = await objects.apply<ConfigMap>(at, written('dry', { a: 'b' }), { ...dry, force: false }, call)
    expect(said.data).toEqual({ a: 'b' })
    expect(await objects.get(at, call)).toBeUndefined()
  })

  it('are applied, and a field of another is named with its manager unless it is taken', async () => {
    const { objects } = on.rig.api
    const at = { resource, namespace, name: 'shared' }
    const mine = { ...write, force: false }
    await objects.apply(at, written('shared', { a: 'mine' }), mine, call)
    const theirs = { fieldManager: 'somebody', force: false }
    const conflict = objects.apply(at, written('shared', { a: 'theirs', b: 'theirs' }), theirs, call)
    await expect(conflict).rejects.toMatchObject({
      reason: 'engine_object_conflict',
      issues: [{ path: 'data.a', message: `is managed by ${testManager}` }],
    })
    const taken = await objects.apply<ConfigMap>(
      at,
      written('shared', { a: 'theirs', b: 'theirs' }),
      { ...theirs, force: true },
      call,
    )
    expect(taken.data).toEqual({ a: 'theirs', b: 'theirs' })
  })

  it('are refused with each field that is wrong or unknown', async () => {
    const { objects } = on.rig.api
    const bad = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'bad' }, spec: { ports: [{ port: 99_999 }] } }
    const invalid = objects.create({ resource: resources.service, namespace }, bad, write, call)
    await expect(invalid).rejects.toMatchObject({
      reason: 'engine_rejected',
      issues: ['port', 'targetPort'].map((field) => ({
        path: `spec.ports[0].${field}`,
        message: expect.stringMatching(/99999/),
      })),
    })
    const at = { resource, namespace, name: 'odd' }
    const odd = { ...written('odd', {}), extra: { nope: 1 } }
    const created = objects.create({ resource, namespace }, odd, write, call)
    await expect(created).rejects.toMatchObject({
      reason: 'engine_rejected',
      issues: [{ path: 'extra', message: 'is no field of this kind' }],
    })
    const applied = objects.apply(at, odd, { ...write, force: true }, call)
    await expect(applied).rejects.toMatchObject({ message: expect.stringMatching(/extra/) })
  })

  it('are conflicted about a namespace that is going, and not there without one', async () => {
    const { objects } = on.rig.api
    const going = await on.rig.ownNamespace()
    const keeper = { resource, namespace: going.name, name: 'keeper' }
    await objects.create(keeper, written('keeper', {}, { finalizers: ['gantry.test/keep'] }), write, call)
    expect(await objects.delete({ resource: resources.namespace, name: going.name }, {}, call)).toMatchObject({
      kind: 'Namespace',
    })
    const late = objects.create({ resource, namespace: going.name }, written('late', {}), write, call)
    await expect(late).rejects.toMatchObject({ reason: 'engine_object_conflict' })
    await objects.patch(keeper, { type: 'merge', body: { metadata: { finalizers: null } } }, write, call)
    const nowhere = objects.create({ resource, namespace: 'no-such-namespace' }, written('x', {}), write, call)
    await expect(nowhere).rejects.toMatchObject({ reason: 'engine_object_not_found' })
    await expect(objects.list({ resource: { ...resource, plural: 'nothings' } }, {}, call)).rejects.toMatchObject({
      reason: 'engine_object_not_found',
    })
    await expect(objects.get({ resource, name: 'x' }, call)).rejects.toThrowError(/is in a namespace/)
  })

  it('are listed whole over several pages, by selector, and as metadata only', async () => {
    const api = await connectKubernetes(on.rig.config, call, { pageSize: 400 })
    const { objects } = api
    const many = await on.rig.ownNamespace()
    const of = { resource, namespace: many.name }
    const names = Array.from({ length: 1_003 }, (_, at) => `many-${String(at).padStart(4, '0')}`)
    await Promise.all(
      names.map((name, at) =>
        objects.create(of, written(name, { at: String(at) }, { labels: { odd: String(at % 2) } }), write, call),
      ),
    )
    const { items, metadata } = await objects.list<ConfigMap>(of, {}, call)
    const ours = items.filter(({ metadata: { name } }) => name.startsWith('many-'))
    expect(ours.map(({ metadata: { name } }) => name)).toEqual(names)
    expect(ours[7]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { at: '7' } })
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(0)
    const odd = await objects.list<ConfigMap>(of, { labelSelector: 'odd=1', metadataOnly: true }, call)
    expect(odd.items).toHaveLength(501)
    expect(odd.items[0]).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { labels: { odd: '1' } } })
    expect(odd.items[0]).not.toHaveProperty('data')
    const one = await objects.list(of, { fieldSelector: 'metadata.name=many-0042' }, call)
    expect(one.items.map(({ metadata: { name } }) => name)).toEqual(['many-0042'])
    await many.end()
    api.close()
  })

  it('are watched from where a list ended: each change once and in order, then the end by who reads', async () => {
    const { objects } = on.rig.api
    const of = { resource, namespace }
    const labelSelector = 'watched=yes'
    const labels = { watched: 'yes' }
    const { metadata } = await objects.list(of, { labelSelector }, call)
    const events = await objects.watch<ConfigMap>(of, { labelSelector, ...metadata }, call)
    const partial = await objects.watch<ConfigMap>(of, { labelSelector, metadataOnly: true, ...metadata }, call)
    const at = { resource, namespace, name: 'seen' }
    const made = await objects.create<ConfigMap>(of, written('seen', { a: '1' }, { labels }), write, call)
    await objects.patch(at, { type: 'merge', body: { data: { a: '2' } } }, write, call)
    await objects.delete(at, {}, call)
    const seen = await taken(events, 3)
    expect(seen.map((event) => [event.type, 'object' in event && event.object.data?.a])).toEqual([
      ['added', '1'],
      ['modified', '2'],
      ['deleted', '2'],
    ])
    expect(seen[0]).toMatchObject({ object: made })
    const [first] = await taken(partial, 1)
    expect(first).toMatchObject({ type: 'added', object: { kind: 'ConfigMap', metadata: { name: 'seen' } } })
    expect(first).not.toHaveProperty('object.data')
  })

  it('are watched until the caller leaves, with the reason', async () => {
    const { objects } = on.rig.api
    const { metadata } = await objects.list({ resource, namespace }, {}, call)
    const caller = new AbortController()
    const events = await objects.watch({ resource, namespace }, metadata, caller)
    const reading = taken(events, 1)
    const reason = new Error('left')
    caller.abort(reason)
    await expect(reading).rejects.toBe(reason)
  })

  it('are not shown to who may not, in words that name verb, resource and namespace', async () => {
    const api = await connectKubernetes(await on.rig.configOf('limited'), call)
    await expect(api.objects.list({ resource, namespace }, {}, call)).rejects.toMatchObject({
      reason: 'engine_forbidden',
      message: `Kubernetes does not allow limited to list configmaps in namespace ${namespace}; give it a Role with the verb list on configmaps`,
    })
    const denied = api.objects.apply(
      { resource: resources.deployment, namespace, name: 'x' },
      {},
      { ...write, force: true },
      call,
    )
    await expect(denied).rejects.toMatchObject({
      message: expect.stringMatching(/limited to patch deployments.apps in namespace test-/),
    })
    await expect(api.objects.list({ resource: resources.node }, {}, call)).rejects.toMatchObject({
      message: expect.stringMatching(/list nodes in the whole cluster/),
    })
    api.close()
  })

  it('are refused where a quota is used up', async () => {
    const { objects } = on.rig.api
    const full = await on.rig.ownNamespace()
    const quotas = { group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true }
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard: { services: '0' } },
    }
    const at = { resource: quotas, namespace: full.name, name: 'q' }
    await objects.create(at, quota, write, call)
    await expect
      .poll(async () => (await objects.get<KubeObject & { status?: { used?: object } }>(at, call))?.status?.used)
      .toBeDefined()
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } }
    const refused = objects.create({ resource: resources.service, namespace: full.name }, service, write, call)
    await expect(refused).rejects.toMatchObject({
      reason: 'engine_full',
      message: expect.stringMatching(/exceeded quota: q, requested: services=1/),
    })
    await full.end()
  })
})

async function taken<T extends KubeObject>(
  events: AsyncIterable<WatchEvent<T>>,
  count: number,
): Promise<WatchEvent<T>[]> {
  const found: WatchEvent<T>[] = []
  for await (const event of events) {
    if (event.type !== 'bookmark') found.push(event)
    if (found.length === count) break
  }
  return found
}
