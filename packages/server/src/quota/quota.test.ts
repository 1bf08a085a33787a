import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Plane, secretOf, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'

let plane: Plane
beforeAll(async () => {
  plane = await startPlane()
})
afterAll(() => plane.dispose())

const service = (resources: object) => ({ services: [{ name: 'web', image: 'a', resources }] })

describe('quotas', () => {
  it('are never exceeded by a hundred writers at once', async () => {
    await plane.client.tenants.put(tenantOf('crowd', { workloads: 17 }))
    const { token } = await plane.as('crowd', 'operator')
    const put = (at: number) =>
      plane.send('PUT', `/v1/tenants/crowd/workloads/w${at}`, { token, body: workloadOf(`w${at}`) })
    const got = await Promise.all(Array.from({ length: 100 }, (_, at) => put(at)))
    expect(got.filter(({ status }) => status === 201)).toHaveLength(17)
    expect(new Set(got.filter(({ status }) => status !== 201).map(({ json }) => json.reason))).toEqual(
      new Set(['quota_exceeded']),
    )
    expect(await plane.client.tenant('crowd').workloads.list().toArray()).toHaveLength(17)
  })

  it.each([
    ['workloads', { workloads: 0 }, {}, 'limit 0, used 0, asked 1'],
    ['replicas', { replicas: 4 }, { replicas: 5 }, 'limit 4, used 0, asked 5'],
    ['services', { services: 4 }, { replicas: 5 }, 'limit 4, used 0, asked 5'],
    ['cpu.milli', { cpu: '1' }, { replicas: 3, ...service({ cpu: '500m' }) }, 'limit 1000, used 0, asked 1500'],
    ['memory.bytes', { memory: '1Ki' }, service({ memory: '2Ki' }), 'limit 1024, used 0, asked 2048'],
    ['disk.bytes', { disk: '1Ki' }, service({ disk: '2Ki' }), 'limit 1024, used 0, asked 2048'],
  ])('of %s say limit, used and asked', async (counter, quota, spec, message) => {
    await plane.client.tenants.put(tenantOf('small', quota))
    const put = plane.client.tenant('small').workloads.put(workloadOf('big', spec))
    await expect(put).rejects.toMatchObject({
      kind: 'quota_exceeded',
      issues: [{ path: `limits.${counter}`, message: expect.stringContaining(message) }],
    })
  })

  it('count secrets, and give back what is deleted', async () => {
    await plane.client.tenants.put(tenantOf('one', { secrets: 1 }))
    const { secrets } = plane.client.tenant('one')
    await secrets.put(secretOf('a'))
    await expect(secrets.put(secretOf('b'))).rejects.toMatchObject({ kind: 'quota_exceeded' })
    await secrets.delete('a')
    await secrets.put(secretOf('b'))
  })

  it('let go down what is above them, and hold an apply as a whole', async () => {
    await plane.client.tenants.put(tenantOf('lower', { replicas: 10 }))
    const { workloads } = plane.client.tenant('lower')
    await workloads.put(workloadOf('a', { replicas: 10 }))
    await plane.client.tenants.put(tenantOf('lower', { replicas: 5 }))
    await workloads.put(workloadOf('a', { replicas: 8 }))
    const objects = [workloadOf('a', { replicas: 1 }), workloadOf('b', { replicas: 9 })]
    await expect(plane.client.apply({ tenant: 'lower', objects })).rejects.toMatchObject({ kind: 'quota_exceeded' })
    expect((await workloads.get('a')).spec.replicas).toBe(8)
  })
})
