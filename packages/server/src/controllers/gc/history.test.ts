/** What is kept of a workload that was deployed often: over the API, on a real store, with all controllers. */
import { type Store, systemScope } from '@gantry/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Plane, startPlane, workloadOf } from '../../testing/plane.ts'
import { vaultKinds } from '../../vault/rows.ts'
import { settled } from '../../whole/testing/settled.ts'
import { keptReleases } from './forgettable.ts'

let plane: Plane
let store: Store

beforeAll(async () => {
  const wrapStore = (own: Store): Store => {
    store = own
    return own
  }
  plane = await startPlane({ controllers: true, firstProvider: 'simulated', wrapStore })
})
afterAll(() => plane.dispose())

const workloads = () => plane.client.tenant('default').workloads

const said = (text: string) =>
  workloadOf('web', {
    services: [
      { name: 'web', image: 'app:1', configFiles: [{ name: 'app', path: '/app.txt', format: 'text', content: text }] },
    ],
    strategy: { minReadySeconds: 0 },
  })

async function numbers(): Promise<number[]> {
  const releases = await workloads().releases('web').toArray()
  return releases.map(({ spec }) => spec.number).toSorted((a, b) => a - b)
}

async function contents(): Promise<number> {
  return (await store.list(systemScope(), { kind: vaultKinds.content, limit: 1000 }, call)).items.length
}

describe('the history of a workload', () => {
  it('ends with the last releases, with what they alone kept in the vault, and with no number given twice', async () => {
    const made = keptReleases + 3
    for (let number = 1; number <= made; number += 1) {
      await workloads().put(said(`text of v${number}`))
      await settled(plane.client, 'web')
    }
    const kept = Array.from({ length: keptReleases }, (_, at) => at + 4)
    await expect.poll(numbers, { timeout: 30_000 }).toEqual(kept)
    await expect.poll(contents, { timeout: 30_000 }).toBe(keptReleases)
    await expect(workloads().rollback('web', { to: 3 })).rejects.toMatchObject({
      reason: 'release_not_found',
      message: expect.stringContaining('kept are v4, '),
    })

    await workloads().rollback('web', { to: 4 })
    await settled(plane.client, 'web')
    for (let number = 1; number <= 2; number += 1) {
      await workloads().put(said(`text of v${made + number}`))
      await settled(plane.client, 'web')
    }
    await expect.poll(numbers, { timeout: 30_000 }).toEqual(kept.map((number) => number + 2))
  })

  it('keeps what runs, however old it is', async () => {
    const [oldest = 0] = await numbers()
    await workloads().rollback('web', { to: oldest })
    await settled(plane.client, 'web')
    expect((await workloads().get('web')).status.release).toBe(oldest)
    expect(await numbers()).toContain(oldest)
  })
})
