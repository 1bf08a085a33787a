import { Secret } from '@gantry/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepVersionsInUse } from '../../vault/versions-in-use.ts'
import { call, keyOf, openRoom, type Room, scope } from '../testing/room.ts'
import { reconcileKeptSecrets } from './kept-secrets.ts'

let room: Room
let look: () => Promise<unknown>

beforeEach(async () => {
  room = await openRoom()
  const reconcile = reconcileKeptSecrets(room.deps, 1000)
  look = () => room.run(reconcile, keyOf('Tenant', 'shop'))
  await room.apply('Secret', 'db', {})
  for (const value of ['one', 'two']) {
    const secret = await room.read('Secret', 'db')
    if (!secret) throw new Error('it was just made')
    const { commands } = await room.vault.put(secret, new Map([['url', new Secret(value)]]), call)
    await room.store.write(scope, commands, {}, call)
  }
})
afterEach(() => room.close())

async function names(release: string, version: number): Promise<void> {
  const draft = { key: keyOf('Release', release), spec: { secretVersions: { db: version } } }
  await room.store.write(scope, [{ op: 'create', draft }], {}, call)
}

async function deleteSecret(): Promise<void> {
  const kept = await keepVersionsInUse(room.deps, { tenant: 'shop', name: 'db' }, call)
  await room.store.write(scope, [...kept, { op: 'delete', key: keyOf('Secret', 'db') }], {}, call)
}

const forget = (release: string) =>
  room.store.write(scope, [{ op: 'delete', key: keyOf('Release', release) }], {}, call)
const value = async (version: number) =>
  await room.vault.resolve({ tenant: 'shop', name: 'db', key: 'url', version }, call).then(
    ({ value: found }) => found.reveal(),
    (error: { kind: string }) => error.kind,
  )

describe('a version of a deleted secret', () => {
  it('stays for as long as a release names it, and is forgotten when none does any more', async () => {
    await names('web-v1', 1)
    await names('api-v1', 1)
    await deleteSecret()
    expect([await value(1), await value(2)]).toEqual(['one', 'not_found'])
    await forget('web-v1')
    for (const _ of [1, 2, 3]) await look()
    expect(await value(1)).toBe('one')
    await forget('api-v1')
    await look()
    expect(await value(1)).toBe('one')
    await look()
    expect(await value(1)).toBe('not_found')
  })

  it('stays when somebody names it again between two looks', async () => {
    await names('web-v1', 1)
    await deleteSecret()
    await forget('web-v1')
    await look()
    await names('web-v2', 1)
    for (const _ of [1, 2]) await look()
    expect(await value(1)).toBe('one')
  })
})

it('versions of a secret that is there are nobody’s to sweep', async () => {
  for (const _ of [1, 2, 3]) await look()
  expect([await value(1), await value(2)]).toEqual(['one', 'two'])
})
