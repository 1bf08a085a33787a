/** Who changed what of a workload, as its releases and rollouts tell it: over the API, with controllers, on the simulated engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type Plane, secretOf, startPlane, workloadOf } from '../testing/plane.ts'
import { settled } from './testing/settled.ts'

let plane: Plane
let ann: Caller
let bob: Caller

beforeAll(async () => {
  plane = await startPlane({ controllers: true, firstProvider: 'simulated' })
  ann = await plane.as('default', 'operator')
  bob = await plane.as('default', 'operator')
})
afterAll(() => plane.dispose())

const of = ({ client }: Caller) => client.tenant('default')
const names = async (): Promise<string[]> =>
  await Promise.all([ann, bob].map(async ({ client }) => (await client.whoami()).name))

describe('the history of a workload', () => {
  it('tells who asked for each release and rollout, when, and what changed', async () => {
    const [annName, bobName] = await names()
    await of(bob).secrets.put(secretOf('db'))
    await of(bob).secrets.putData('db', { text: { url: 'first-hunter2' } })
    const secrets = [{ name: 'db', key: 'url', env: 'URL' }]
    const spec = { services: [{ name: 'web', image: 'app:1', secrets }], strategy: { minReadySeconds: 0 } }
    await of(ann).workloads.put(workloadOf('shop', spec))
    await settled(plane.client, 'shop')

    const deployed = { services: [{ name: 'web', image: 'app:2', env: { KEY: 'env-hunter2' } }] }
    const { metadata } = await of(bob).workloads.deploy('shop', deployed)
    // Whoever scales before anybody has looked did not deploy.
    await of(ann).workloads.scale('shop', { replicas: 2 })
    await settled(plane.client, 'shop', metadata.generation)

    await of(bob).workloads.deploy('shop', { message: 'the third is the charm' })
    await settled(plane.client, 'shop')
    await of(ann).workloads.rollback('shop', { to: 1 })
    await settled(plane.client, 'shop')
    await of(bob).workloads.restart('shop')
    await settled(plane.client, 'shop')
    await of(ann).workloads.rollback('shop', { to: 2, message: 'one was worse' })
    await settled(plane.client, 'shop')
    await of(ann).workloads.deploy('shop')
    await settled(plane.client, 'shop')
    await of(bob).secrets.putData('db', { text: { url: 'second-hunter2' } })
    await expect.poll(async () => (await of(ann).workloads.get('shop')).status.release, { timeout: 30_000 }).toBe(5)

    const releases = await of(ann).workloads.releases('shop').toArray()
    const inOrder = releases.toSorted((a, b) => a.spec.number - b.spec.number)
    expect(inOrder.map(({ spec: { createdBy, message, changes } }) => [createdBy, message, changes])).toEqual([
      [annName, 'first release', undefined],
      [bobName, 'image of web, env of web', expect.arrayContaining(['services[web].image', 'services[web].env.KEY'])],
      [bobName, 'the third is the charm', undefined],
      [annName, 'the same again', undefined],
      [bobName, 'secret db v1 to v2', ['secretVersions.db']],
    ])
    const rollouts = await of(ann).workloads.rollouts('shop').toArray()
    const acts = rollouts.toSorted((a, b) => a.spec.number - b.spec.number)
    expect(acts.map(({ spec }) => [spec.release, spec.trigger, spec.createdBy, spec.message])).toEqual([
      [1, 'create', annName, 'first release'],
      [2, 'deploy', bobName, 'image of web, env of web'],
      [3, 'deploy', bobName, 'the third is the charm'],
      [1, 'rollback', annName, 'back to v1'],
      [1, 'restart', bobName, 'restart'],
      [2, 'deploy', annName, 'one was worse'],
      [4, 'deploy', annName, 'the same again'],
      [5, 'secret', bobName, 'secret db v1 to v2'],
    ])
    expect(JSON.stringify([releases.map(({ spec }) => [spec.changes, spec.message]), rollouts])).not.toMatch(/hunter2/)
    const shown = await of(ann).workloads.get('shop')
    expect(Object.keys(shown.metadata.annotations)).toEqual([])
  })

  it('tells of an apply who applied', async () => {
    const [annName, bobName] = await names()
    const file = (image: string, replicas: number) => ({
      ...workloadOf('filed', { services: [{ name: 'web', image }], replicas, strategy: { minReadySeconds: 0 } }),
    })
    await bob.client.apply({ objects: [file('app:1', 1)], tenant: 'default' })
    await settled(plane.client, 'filed')
    await ann.client.apply({ objects: [file('app:2', 1)], tenant: 'default' })
    await bob.client.apply({ objects: [file('app:2', 2)], tenant: 'default' })
    await settled(plane.client, 'filed')
    const releases = await of(ann).workloads.releases('filed').toArray()
    expect(releases.map(({ spec }) => [spec.createdBy, spec.message]).toSorted()).toEqual(
      [
        [bobName, 'first release'],
        [annName, 'image of web'],
      ].toSorted(),
    )
  })
})
