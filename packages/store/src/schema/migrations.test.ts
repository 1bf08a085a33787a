import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { readAddress } from '../postgres/config.ts'
import { migrate } from '../postgres/migrate.ts'
import { openFile } from '../sqlite/open-file.ts'
import { call, create, names, refused, type StoreSubject, system, take } from '../testing/contract/subject.ts'
import { postgresEngine } from '../testing/postgres-engine.ts'
import { postgresSubject } from '../testing/postgres-subject.ts'
import { sqliteSubject } from '../testing/sqlite-subject.ts'
import { migrations, schemaVersion } from './migrations.ts'

/** What a store of schema 1 holds after two writes, one of them with a label and an audit entry. */
function rowsOfVersionOne(): string {
  const body = (name: string, version: number): string =>
    JSON.stringify({
      apiVersion: 'gantry/v1',
      kind: 'Thing',
      metadata: {
        name,
        tenant: 't',
        uid: randomUUID(),
        labels: name === 'b' ? { on: 'yes' } : {},
        annotations: {},
        generation: 1,
        resourceVersion: version,
        ownerRefs: [],
        finalizers: [],
        createdAt: '2026-01-01T00:00:00.000Z',
      },
      spec: { old: true },
      status: {},
    })
  const object = (name: string, version: number): string => `
    INSERT INTO resources (kind, tenant, name, uid, version) VALUES ('Thing', 't', '${name}', 'u${version}', ${version});
    INSERT INTO changes (version, kind, tenant, name, type, body, labels_before, at)
      VALUES (${version}, 'Thing', 't', '${name}', 'put', '${body(name, version)}', NULL, 0);`
  return `${object('a', 1)}${object('b', 2)}
    INSERT INTO marks (kind, mark, tenant, name) VALUES ('Thing', 'on', 't', 'b'), ('Thing', 'on=yes', 't', 'b');
    UPDATE meta SET version = 2;`
}

async function expectUpgraded(subject: StoreSubject): Promise<void> {
  const store = await subject.open()
  const list = async (labelSelector: string) =>
    names((await store.list(system, { kind: 'Thing', limit: 9, labelSelector }, call)).items)
  expect(await list('')).toEqual(['a', 'b'])
  expect(await list('on=yes')).toEqual(['b'])
  expect(await take(store.changes(system, { since: 0 }, call), 2)).toHaveLength(2)
  const key = { kind: 'Thing', tenant: 't', name: 'c' }
  const { resourceVersion } = await store.write(system, [create(key, { usage: { things: 1n } })], {}, call)
  expect(resourceVersion).toBe(3)
  await store.write(system, [{ op: 'delete', key: { ...key, name: 'a' } }], {}, call)
  expect(await store.usage(system, 't', call)).toEqual({ things: 1n })
  await store.close()
  await (await subject.open()).close()
}

const engine = await postgresEngine()

describe('migrations', () => {
  it('are numbered from one without a hole', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, at) => at + 1))
  })

  it('bring an SQLite file of the first version up to this one, with everything in it', async () => {
    const subject = await sqliteSubject()
    const old = await openFile({ file: subject.file, now: 0, upTo: 1 })
    old.exec(rowsOfVersionOne())
    old.close()
    await expectUpgraded(subject)
    await subject.dispose()
  })

  it('that fail leave the file at the version it had', async () => {
    const subject = await sqliteSubject()
    const old = await openFile({ file: subject.file, now: 0, upTo: 1 })
    old.exec('CREATE TABLE usage (in_the_way INTEGER)')
    old.close()
    await expect(subject.open()).rejects.toThrow()
    await subject.tamper('DROP TABLE usage')
    await (await subject.open()).close()
    await subject.dispose()
  })

  it('bring PostgreSQL up likewise, once, however many begin at the same time', async ({ skip }) => {
    if ('why' in engine) return skip(engine.why)
    const subject = await postgresSubject(engine.url)
    const address = readAddress(subject.database)
    const client = new pg.Client(address.config)
    await client.connect()
    await migrate(client, address, 0, 1)
    await client.query(rowsOfVersionOne())
    await client.end()
    const stores = await Promise.all([subject.open(), subject.open(), subject.open()])
    for (const store of stores) await store.close()
    await expectUpgraded(subject)
    await subject.tamper(`INSERT INTO schema_version VALUES (${schemaVersion + 1}, 0)`)
    await expect(subject.open()).rejects.toEqual(refused('store_too_new'))
    await subject.dispose()
  })
})
