import { systemClock } from '@gantry/core'
import { type Store, systemScope } from '@gantry/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Plane, secretOf, startPlane } from '../testing/plane.ts'
import { memoryKeys } from './memory-keys.ts'
import { openVault } from './open-vault.ts'
import type { Vault } from './vault.ts'
import { secretVersionsInUse } from './versions-in-use.ts'

let plane: Plane
let store: Store
let vault: Vault
const scope = systemScope()
const tenant = 'default'

beforeAll(async () => {
  const keys = memoryKeys()
  const wrapStore = (own: Store): Store => {
    store = own
    return own
  }
  plane = await startPlane({ keys, wrapStore })
  vault = await openVault({ store, scope, keys, clock: systemClock }, call)
})
afterAll(() => plane.dispose())

/** Only what is looked at here: that it names a version. */
async function release(name: string, secretVersions: Record<string, number>): Promise<void> {
  await store.write(
    scope,
    [{ op: 'create', draft: { key: { kind: 'Release', tenant, name }, spec: { secretVersions } } }],
    {},
    call,
  )
}

async function written(name: string, count: number): Promise<void> {
  const { secrets } = plane.client.tenant(tenant)
  await secrets.put({ ...secretOf(name), metadata: { name, labels: { team: 'web' } } })
  for (let n = 1; n <= count; n += 1) await secrets.putData(name, { text: { url: `value ${n}` } })
}

const resolve = (name: string, version: number) => vault.resolve({ tenant, name, key: 'url', version }, call)

describe('a version of a secret that a release names', () => {
  it('outlives its Secret, and the others go with it', async () => {
    await written('db', 3)
    await release('web-v1', { db: 2 })
    expect([...(await secretVersionsInUse({ store, scope }, { tenant, name: 'db' }, call))]).toEqual([2])
    expect(await plane.client.tenant(tenant).secrets.delete('db')).toMatchObject({ metadata: { name: 'db' } })
    expect((await resolve('db', 2)).value.reveal()).toBe('value 2')
    for (const version of [1, 3]) await expect(resolve('db', version)).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('is not taken for one of a Secret that is made anew under the name', async () => {
    await written('again', 1)
    await release('web-v2', { again: 1 })
    await plane.client.tenant(tenant).secrets.delete('again')
    await written('again', 1)
    const { status } = await plane.client.tenant(tenant).secrets.get('again')
    expect([status.version, status.versions?.map(({ version }) => version)]).toEqual([2, [2]])
    expect((await resolve('again', 1)).value.reveal()).toBe('value 1')
  })

  it('outlives one that is pruned as well', async () => {
    const objects = [{ ...secretOf('pruned'), metadata: { name: 'pruned', labels: { app: 'x' } } }]
    await plane.client.apply({ tenant, objects })
    await plane.client.tenant(tenant).secrets.putData('pruned', { text: { url: 'kept' } })
    await release('web-v3', { pruned: 1 })
    const { results } = await plane.client.apply({ tenant, objects: [], prune: { labelSelector: 'app=x' } })
    expect(results).toMatchObject([{ did: 'deleted', object: { kind: 'Secret' } }])
    expect((await resolve('pruned', 1)).value.reveal()).toBe('kept')
  })
})

describe('the data of a secret', () => {
  it('is written only over the generation that was asked for', async () => {
    await written('guarded', 1)
    const { secrets } = plane.client.tenant(tenant)
    const wrong = secrets.putData('guarded', { text: { url: 'x' } }, { ifGeneration: 7 })
    await expect(wrong).rejects.toMatchObject({ reason: 'generation_conflict' })
    expect((await secrets.putData('guarded', { text: { url: 'x' } }, { ifGeneration: 1 })).status.version).toBe(2)
  })

  it('can be changed in part: what is not named is taken over, and null removes', async () => {
    const { secrets } = plane.client.tenant(tenant)
    await secrets.put(secretOf('partly'))
    await secrets.patchData('partly', { text: { url: 'first', old: 'x' }, base64: { cert: 'AP8=' } })
    const { status } = await secrets.patchData('partly', { text: { url: 'second', old: null } })
    expect(status.version).toBe(2)
    expect(status.versions?.[0]?.keys.map(({ name }) => name).toSorted()).toEqual(['cert', 'url'])
    const value = async (key: string, version: number) =>
      (await vault.resolve({ tenant, name: 'partly', key, version }, call)).value
    expect((await value('url', 2)).reveal()).toBe('second')
    expect([...(await value('cert', 2)).revealBytes()]).toEqual([0, 255])
    expect((await value('old', 1)).reveal()).toBe('x')
    await expect(value('old', 2)).rejects.toMatchObject({ reason: 'secret_not_found' })
  })

  it('loses nothing that two writers change at once', async () => {
    const { secrets } = plane.client.tenant(tenant)
    await secrets.put(secretOf('busy'))
    await Promise.all(['a', 'b', 'c', 'd'].map((key) => secrets.patchData('busy', { text: { [key]: key } })))
    const { status } = await secrets.get('busy')
    expect(status.versions?.[0]?.keys.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c', 'd'])
  })

  it.each([
    ['removes what is not there', { text: { absent: null } }],
    ['writes and removes the same', { text: { url: 'x' }, base64: { url: null } }],
    ['removes the same twice', { text: { url: null }, base64: { url: null } }],
  ])('is not changed by a patch that %s', async (_, change) => {
    const { secrets } = plane.client.tenant(tenant)
    await secrets.put(secretOf('firm'))
    await secrets.putData('firm', { text: { url: 'x' } })
    const { version } = (await secrets.get('firm')).status
    await expect(secrets.patchData('firm', change)).rejects.toMatchObject({ reason: 'schema' })
    expect((await secrets.get('firm')).status.version).toBe(version)
  })
})
