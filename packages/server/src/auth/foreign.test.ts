/** What is somebody else's is not there: the same answer, after the same questions to the store. */
import { VirtualClock } from '@gantry/core/testing'
import type { Store } from '@gantry/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Plane, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'

let plane: Plane
let token: string
let asked: string[] = []

/** The same store, which also remembers what it was asked for. */
function counting(store: Store): Store {
  const methods = ['read', 'list', 'write', 'changes', 'usage', 'audit'] as const
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const method = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        if ((methods as readonly string[]).includes(name)) asked.push(name)
        return method.apply(target, args)
      }
    },
  })
}

beforeAll(async () => {
  // No time passes, so that the server writes nothing by itself that would count as an answer.
  plane = await startPlane({ wrapStore: counting, clock: new VirtualClock() })
  for (const name of ['own', 'theirs']) await plane.client.tenants.put(tenantOf(name))
  await plane.client.tenant('theirs').workloads.put(workloadOf('there'))
  token = (await plane.as('own', 'admin')).token
})
afterAll(() => plane.dispose())

async function look(method: string, path: string) {
  asked = []
  const body = method === 'PUT' ? workloadOf('there') : method === 'PATCH' ? {} : undefined
  const { status, json } = await plane.send(method, path, { token, body })
  const { requestId: _, ...said } = json
  return { status, said: JSON.stringify(said).replaceAll(/theirs|nobody/g, '…'), asked }
}

describe('a foreign object', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('answers %s like one that is absent', async (method) => {
    const foreign = await look(method, '/v1/tenants/theirs/workloads/there')
    expect(foreign.status).toBe(404)
    expect(foreign).toEqual(await look(method, '/v1/tenants/nobody/workloads/there'))
    expect(foreign).toEqual(await look(method, '/v1/tenants/theirs/workloads/absent'))
  })

  it('is in no list and no watch', async () => {
    const foreign = await look('GET', '/v1/tenants/theirs/workloads')
    expect(foreign).toEqual(await look('GET', '/v1/tenants/nobody/workloads'))
    expect(await look('GET', '/v1/tenants/theirs/workloads?watch=true')).toEqual(foreign)
    expect((await look('GET', '/v1/workloads')).status).toBe(403)
  })
})
