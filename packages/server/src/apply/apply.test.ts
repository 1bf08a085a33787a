import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Plane, secretOf, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'
import { keySource } from '../vault/key-source.ts'

let plane: Plane
const tenant = 'shop'

beforeAll(async () => {
  plane = await startPlane()
  await plane.client.tenants.put(tenantOf(tenant))
})
afterAll(() => plane.dispose())

const applied = (...objects: readonly (ReturnType<typeof workloadOf> | ReturnType<typeof secretOf>)[]) =>
  plane.client.apply({ tenant, objects: [...objects] })
const replicas = async (name: string) => (await plane.client.tenant(tenant).workloads.get(name)).spec.replicas

describe('an apply', () => {
  it('leaves what the file never had, and tells what it sets back and who had set it', async () => {
    await applied(workloadOf('web'))
    await plane.client.tenant(tenant).workloads.patch('web', { spec: { replicas: 4 } })
    expect((await applied(workloadOf('web'))).results[0]).toMatchObject({ did: 'unchanged', reverts: [] })
    expect(await replicas('web')).toBe(4)
    const { results } = await applied(workloadOf('web', { replicas: 2 }))
    expect(results[0]?.reverts).toMatchObject([{ path: 'spec.replicas', from: 4, to: 2, by: 'control-plane' }])
    await applied(workloadOf('web'))
    expect(await replicas('web')).toBe(1)
  })

  it('lets defaults follow again when the file changes what they followed from', async () => {
    const volumes = [{ name: 'data', path: '/data', size: '1Gi' }]
    const spec = (type: string) => ({ type, services: [{ name: 'web', image: 'a', volumes }] })
    const typeOfVolume = async () =>
      (await plane.client.tenant(tenant).workloads.get('follow')).spec.services[0]?.volumes
    await applied(workloadOf('follow', spec('deployment')))
    expect(await typeOfVolume()).toMatchObject([{ type: 'ephemeral' }])
    await applied(workloadOf('follow', spec('stateful_set')))
    expect(await typeOfVolume()).toMatchObject([{ type: 'persistent' }])
  })

  it('shows nobody what it keeps for itself', async () => {
    await applied(workloadOf('notes'))
    await plane.client.tenant(tenant).workloads.patch('notes', { spec: { replicas: 2 } })
    const { metadata } = await plane.client.tenant(tenant).workloads.get('notes')
    expect(metadata.annotations).toEqual({})
    expect(await plane.client.tenant(tenant).workloads.list().toArray()).not.toContainEqual(
      expect.objectContaining({
        metadata: expect.objectContaining({
          annotations: expect.objectContaining({ 'gantry.dev/last-applied': expect.anything() }),
        }),
      }),
    )
  })

  it('keeps who changed what when the same file is applied again, and sets it back when the file says so', async () => {
    const { workloads } = plane.client.tenant(tenant)
    await applied(workloadOf('again', { replicas: 2 }))
    await workloads.patch('again', { metadata: { labels: { by: 'hand' } } })
    for (let time = 0; time < 2; time += 1) {
      expect((await applied(workloadOf('again', { replicas: 2 }))).results[0]).toMatchObject({ did: 'unchanged' })
    }
    await workloads.patch('again', { spec: { replicas: 3 } })
    expect((await applied(workloadOf('again', { replicas: 2 }))).results[0]).toMatchObject({
      did: 'configured',
      reverts: [{ path: 'spec.replicas', from: 3, to: 2, by: 'control-plane' }],
    })
    expect((await applied(workloadOf('again'))).results[0]).toMatchObject({ did: 'configured', reverts: [] })
    expect(await replicas('again')).toBe(1)
  })

  it('says of every object what is wrong with it, and what was probably meant', async () => {
    const wrong = { ...workloadOf('wrong'), spec: { replicas: 'many', services: [{ name: 'web', comand: ['x'] }] } }
    const refused = applied(workloadOf('fine'), wrong as never, { ...secretOf('x'), kind: 'Secrt' } as never)
    await expect(refused).rejects.toMatchObject({
      kind: 'invalid',
      issues: [
        { path: 'objects[1].spec.replicas', message: 'must be a number, not "many"' },
        { path: 'objects[1].spec.services[0].comand', message: expect.stringContaining('command') },
        { path: expect.stringContaining('objects[2]'), message: expect.stringContaining('Secret') },
      ],
    })
  })

  it('does all or nothing', async () => {
    const wrong = workloadOf('half-b', { provider: 'nowhere' })
    await expect(applied(workloadOf('half-a'), wrong)).rejects.toMatchObject({ reason: 'provider_not_found' })
    await expect(plane.client.tenant(tenant).workloads.get('half-a')).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('names every field that is wrong, and in which object', async () => {
    const { json } = await plane.send('POST', '/v1/apply', {
      token: (await plane.system()).token,
      body: { tenant, objects: [workloadOf('fine'), workloadOf('bad', { replicas: -1 })] },
    })
    expect(json.issues).toMatchObject([{ path: expect.stringMatching(/^objects\[1\].*replicas$/) }])
  })

  it('makes a tenant and what is in it at once', async () => {
    const objects = [workloadOf('first', {}, { tenant: 'fresh' }), tenantOf('fresh', { workloads: 1 })]
    const { results } = await plane.client.apply({ objects })
    expect(results.map(({ did }) => did)).toEqual(['created', 'created'])
    const more = [workloadOf('second', {}, { tenant: 'fresh' })]
    await expect(plane.client.apply({ objects: more })).rejects.toMatchObject({ kind: 'quota_exceeded' })
  })

  it('takes away what was applied before and is in no file any more, and nothing else', async () => {
    const labelled = (name: string) => workloadOf(name, {}, { labels: { app: 'gone' } })
    await applied(labelled('keep'), labelled('drop'))
    await plane.client.tenant(tenant).workloads.put(labelled('by-hand'))
    const prune = { labelSelector: 'app=gone' }
    const { results } = await plane.client.apply({ tenant, objects: [labelled('keep')], prune })
    expect(results.map(({ did, object }) => [did, object.metadata.name])).toEqual([
      ['unchanged', 'keep'],
      ['deleted', 'drop'],
    ])
  })
})

describe('a plan', () => {
  it('tells what would be made, changed and kept, and what restarts', async () => {
    await applied(workloadOf('planned', { replicas: 3 }), secretOf('kept'))
    const image = { replicas: 3, services: [{ name: 'web', image: 'app:2' }] }
    const objects = [workloadOf('new'), workloadOf('planned', image), secretOf('kept')]
    const { steps } = await plane.client.plan({ tenant, objects })
    expect(steps.map(({ action, object }) => [action, object.name]).sort()).toEqual([
      ['create', 'new'],
      ['keep', 'kept'],
      ['update', 'planned'],
    ])
    expect(steps.find(({ object }) => object.name === 'planned')).toMatchObject({
      changes: [{ path: 'spec.services[web].image', old: 'app:1', new: 'app:2' }],
      restarts: ['replaces 3 replicas'],
    })
    await expect(plane.client.tenant(tenant).workloads.get('new')).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('holds an apply to it, and says what moved when it does not hold', async () => {
    await applied(workloadOf('held'))
    const objects = [workloadOf('held', { replicas: 2 })]
    const { hash } = await plane.client.plan({ tenant, objects })
    await plane.client.tenant(tenant).workloads.patch('held', { spec: { stopGraceSeconds: 5 } })
    await expect(plane.client.apply({ tenant, objects, plan: hash })).rejects.toMatchObject({
      reason: 'plan_moved',
      issues: [{ message: expect.stringContaining('was at generation 1, and is at 2') }],
    })
    expect(await replicas('held')).toBe(1)
    const { hash: next } = await plane.client.plan({ tenant, objects })
    expect((await plane.client.apply({ tenant, objects, plan: next })).results).toMatchObject([{ did: 'configured' }])
  })

  it('says what moved also on a server that was started since', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-plan-'))
    const keys = keySource({ type: 'file', path: join(folder, 'master.key') })
    const options = { database: `sqlite:${join(folder, 'gantry.sqlite')}`, keys }
    const objects = [workloadOf('a', { replicas: 2 }), workloadOf('b')]
    const first = await startPlane(options)
    await first.client.apply({ tenant: 'default', objects: [workloadOf('a')] })
    const { hash } = await first.client.plan({ tenant: 'default', objects })
    await first.client.tenant('default').workloads.put(workloadOf('b', { replicas: 7 }))
    await first.dispose()
    const second = await startPlane(options)
    await expect(second.client.apply({ tenant: 'default', objects, plan: hash })).rejects.toMatchObject({
      reason: 'plan_moved',
      issues: [{ message: expect.stringContaining('"b" of tenant "default" was made since') }],
    })
    await second.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  it('is not held by a body that wants something else', async () => {
    const { hash } = await plane.client.plan({ tenant, objects: [workloadOf('other')] })
    const objects = [workloadOf('other', { replicas: 9 })]
    await expect(plane.client.apply({ tenant, objects, plan: hash })).rejects.toMatchObject({ reason: 'plan_moved' })
  })
})
