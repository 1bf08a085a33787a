import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Plane, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'

let plane: Plane
beforeAll(async () => {
  plane = await startPlane()
  await plane.client.tenants.put(tenantOf('shop'))
  await plane.client.tenant('shop').workloads.put(workloadOf('web'))
})
afterAll(() => plane.dispose())

describe('the client of a control plane in the same process', () => {
  it('opens sessions without a network', async () => {
    const { workloads } = plane.client.tenant('shop')
    await expect(workloads.exec('none', ['ls'])).rejects.toMatchObject({ reason: 'object_not_found' })
    // It came as far as the first frame: there is a socket, and nothing that runs yet.
    await expect(workloads.exec('web', ['ls'], { replica: 9 })).rejects.toMatchObject({
      reason: expect.stringMatching(/^(replica_not_found|engine_unreachable|provider_not_found)$/),
    })
  })

  it('reads logs and usage of what has written and used nothing yet', async () => {
    const { workloads } = plane.client.tenant('shop')
    expect((await workloads.logs('web').next()).done).toBe(true)
    expect(await workloads.usage('web')).toEqual({ everySeconds: 30, samples: [] })
    await expect(workloads.usage('none')).rejects.toMatchObject({ kind: 'not_found' })
  })
})
