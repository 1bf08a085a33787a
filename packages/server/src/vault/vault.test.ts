import { isFault, type ObjectKey } from '@gantry/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { versionKey } from './rows.ts'
import { secretSource } from './secret-source.ts'
import {
  call,
  makeSecret,
  put,
  readSecret,
  system,
  type VaultSubject,
  valuesOf,
  vaultSubject,
} from './testing/subject.ts'

let subject: VaultSubject
beforeAll(async () => {
  subject = await vaultSubject()
})
afterAll(() => subject.dispose())

const resolve = async (tenant: string, name: string, key: string, version?: number) => {
  const wanted = { tenant, name, key, ...(version === undefined ? {} : { version }) }
  const { value, version: found } = await secretSource(subject.vault).resolve(wanted, call)
  return `v${found} ${value.reveal()}`
}

const refused = (reason: string) => expect.objectContaining({ reason })

async function replaceSpec(key: ObjectKey, spec: unknown): Promise<void> {
  await subject.store.write(system, [{ op: 'replace', draft: { key, spec } }], {}, call)
}

describe('a secret in the vault', () => {
  it('is read back by a provider: the newest, or the version it names', async () => {
    await put(subject, 'one', 'db', { url: 'first', user: 'me' })
    await put(subject, 'one', 'db', { url: 'second' })
    expect(await resolve('one', 'db', 'url')).toBe('v2 second')
    expect(await resolve('one', 'db', 'url', 1)).toBe('v1 first')
  })

  it('shows names and fingerprints only, equal for equal values', async () => {
    await put(subject, 'one', 'prints', { a: 'same', b: 'same' })
    await put(subject, 'one', 'prints', { a: 'same', b: 'other' })
    await put(subject, 'two', 'prints', { a: 'same' })
    const [second, first] = await subject.vault.list({ tenant: 'one', name: 'prints' }, call)
    const [foreign] = await subject.vault.list({ tenant: 'two', name: 'prints' }, call)
    const print = (version: typeof first, at: number) => version?.keys[at]?.fingerprint
    expect(second?.keys.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(print(second, 0)).toBe(print(first, 0))
    expect(print(second, 1)).not.toBe(print(first, 1))
    // Not between keys and not between tenants: that would tell one of them what the other has.
    expect(print(first, 1)).not.toBe(print(first, 0))
    expect(print(foreign, 0)).not.toBe(print(first, 0))
    expect(JSON.stringify([first, second])).not.toContain('same')
  })

  it.each([
    ['another name', 'one', 'absent', 'url'],
    ['another key', 'one', 'db', 'absent'],
    ['another tenant', 'two', 'db', 'url'],
    ['a key that every object inherits', 'one', 'db', 'constructor'],
  ])('is not found by %s', async (_, tenant, name, key) => {
    await expect(resolve(tenant, name, key, 1)).rejects.toEqual(refused('secret_not_found'))
  })

  it('that has no data yet is not found', async () => {
    await subject.store.write(system, [makeSecret('one', 'empty')], {}, call)
    await expect(resolve('one', 'empty', 'url')).rejects.toEqual(refused('secret_not_found'))
    expect(await subject.vault.list({ tenant: 'one', name: 'empty' }, call)).toEqual([])
  })

  it('must have the keys that it says', async () => {
    await subject.store.write(system, [makeSecret('one', 'strict', ['url', 'user'])], {}, call)
    const secret = await readSecret(subject.store, 'one', 'strict')
    const error = await subject.vault.put(secret, valuesOf({ url: 'x' }), call).catch((reason: unknown) => reason)
    expect(isFault(error, 'invalid') && error.issues).toEqual([expect.objectContaining({ path: 'text["user"]' })])
  })

  it('takes one of two writers at once, and tells the other', async () => {
    await put(subject, 'one', 'raced', { a: '0' })
    const secret = await readSecret(subject.store, 'one', 'raced')
    const both = await Promise.all(['1', '2'].map((a) => subject.vault.put(secret, valuesOf({ a }), call)))
    const written = await Promise.allSettled(
      both.map(({ commands }) => subject.store.write({ tenant: 'one' }, commands, {}, call)),
    )
    expect(written.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(written[1]).toEqual(expect.objectContaining({ reason: refused('version_conflict') }))
    expect(await resolve('one', 'raced', 'a')).toBe('v2 1')
  })

  it('takes its versions along when it goes, and never gives a number twice', async () => {
    await put(subject, 'one', 'again', { a: 'old' })
    await subject.store.write(
      system,
      [{ op: 'delete', key: { kind: 'Secret', tenant: 'one', name: 'again' } }],
      {},
      call,
    )
    await expect(resolve('one', 'again', 'a', 1)).rejects.toEqual(refused('secret_not_found'))
    expect(await put(subject, 'one', 'again', { a: 'new' })).toBe(2)
    await expect(resolve('one', 'again', 'a', 1)).rejects.toEqual(refused('secret_not_found'))
  })

  it('forgets the versions it is told to, but not the newest', async () => {
    for (const a of ['1', '2', '3']) await put(subject, 'one', 'pruned', { a })
    const secret = await readSecret(subject.store, 'one', 'pruned')
    await expect(subject.vault.remove(secret, [3], call)).rejects.toEqual(refused('illegal_transition'))
    await subject.store.write(system, await subject.vault.remove(secret, [1, 9], call), {}, call)
    await expect(resolve('one', 'pruned', 'a', 1)).rejects.toEqual(refused('secret_not_found'))
    expect(await resolve('one', 'pruned', 'a', 2)).toBe('v2 2')
    const versions = await subject.vault.list({ tenant: 'one', name: 'pruned' }, call)
    expect(versions.map(({ version }) => version)).toEqual([3, 2])
  })

  it.each([
    ['tenant', versionKey('mallory', 'loot', 1)],
    ['name', versionKey('one', 'loot', 1)],
    ['version', versionKey('one', 'moved', 2)],
  ])('does not open for who moved it to another %s', async (_, target) => {
    if (!(await subject.store.read(system, versionKey('one', 'moved', 2), call))) {
      await put(subject, 'one', 'moved', { a: 'mine' })
      await put(subject, 'one', 'moved', { a: 'mine too' })
      await put(subject, 'one', 'loot', { a: 'x' })
      await put(subject, 'mallory', 'loot', { a: 'x' })
    }
    const row = await subject.store.read(system, versionKey('one', 'moved', 1), call)
    await replaceSpec(target, row?.spec)
    const [name = '', version = ''] = target.name.split('.v')
    const theft = resolve(target.tenant ?? '', name, 'a', Number(version))
    await expect(theft).rejects.toEqual(refused('sealed_value_damaged'))
  })
})

describe('contents in the vault', () => {
  const owner = { tenant: 'one', owner: 'web' }
  const write = async (plain: Record<string, string>) => {
    const sealed = await subject.vault.sealContents(owner, valuesOf(plain), call)
    await subject.store.write({ tenant: 'one' }, sealed.commands, {}, call)
    return sealed
  }

  it('are sealed once, and found by the same reference for good', async () => {
    const first = await write({ 'web/app': 'port: 1', 'web/log': 'port: 1' })
    const second = await write({ 'web/app': 'port: 1', 'web/log': 'port: 2' })
    const app = first.references.get('web/app') ?? ''
    expect(second.references.get('web/app')).toBe(app)
    expect(second.commands).toHaveLength(1)
    expect(new Set([...first.references.values(), ...second.references.values()]).size).toBe(3)
    expect((await subject.vault.openContent(owner, 'web/app', app, call)).reveal()).toBe('port: 1')
  })

  it('open for nobody else, and under no other name', async () => {
    const { references } = await write({ 'web/app': 'mine' })
    const app = references.get('web/app') ?? ''
    const ask = (tenant: string, who: string, name: string) =>
      subject.vault.openContent({ tenant, owner: who }, name, app, call)
    await expect(ask('two', 'web', 'web/app')).rejects.toEqual(refused('secret_not_found'))
    await expect(ask('one', 'api', 'web/app')).rejects.toEqual(refused('secret_not_found'))
    await expect(ask('one', 'web', 'web/log')).rejects.toEqual(refused('secret_not_found'))
  })

  it('go when nothing refers to them any more', async () => {
    const { references } = await write({ 'web/app': 'kept', 'web/log': 'dropped' })
    const [app = '', log = ''] = [references.get('web/app'), references.get('web/log')]
    await subject.store.write(system, await subject.vault.removeContents(owner, new Set([app]), call), {}, call)
    expect((await subject.vault.openContent(owner, 'web/app', app, call)).reveal()).toBe('kept')
    await expect(subject.vault.openContent(owner, 'web/log', log, call)).rejects.toEqual(refused('secret_not_found'))
  })
})
