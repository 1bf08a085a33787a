import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { inspect } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { systemClock } from '@gantry/core'
import { engine } from '@gantry/engines'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeBackup } from '../backup/backup.ts'
import { createLog } from '../telemetry/log.ts'
import { vaultKinds } from './rows.ts'
import { call, put, readSecret, system, type VaultSubject, valuesOf, vaultSubject } from './testing/subject.ts'
import { findTraces } from './testing/traces.ts'

const postgres = await engine('postgres', call)

/** 24 bytes each: text that every escape changes, and bytes that are no text at all. */
const canaries = (): Buffer[] => [
  Buffer.from(`"\\&/ ${randomBytes(7).toString('hex')}é<%`).subarray(0, 24),
  Buffer.from(randomBytes(18).toString('base64')),
  randomBytes(24),
]

/** Everything that can be done with a value: written, written again, resolved, removed, sealed as content, rotated. */
async function live(subject: VaultSubject, planted: readonly Buffer[]): Promise<string> {
  const { store, vault } = subject
  const said: string[] = []
  const log = createLog({ write: (line) => said.push(line) })
  const plain = Object.fromEntries(planted.map((canary, at) => [`k${at}`, canary]))
  const values = valuesOf(plain)
  for (let round = 0; round < 3; round += 1) await put(subject, 'nest', 'bird', plain)
  const merged = await vault.merge(await readSecret(store, 'nest', 'bird'), { set: values, remove: [] }, call)
  await store.write({ tenant: 'nest' }, merged.commands, { audit: audit(merged.version) }, call)
  const owner = { tenant: 'nest', owner: 'web' }
  const sealed = await vault.sealContents(owner, values, call)
  await store.write({ tenant: 'nest' }, sealed.commands, { audit: audit(sealed) }, call)
  const secret = await readSecret(store, 'nest', 'bird')
  await store.write(system, await vault.remove(secret, [1], call), {}, call)
  const resolved = await vault.resolve({ tenant: 'nest', name: 'bird', key: 'k1' }, call)
  await vault.rotate(call)
  const faults: unknown[] = []
  const collect = (error: unknown) => faults.push(error)
  // Broken and missing ones are where a value might slip into words.
  await put(subject, 'nest', 'egg', plain)
  const broken = { kind: vaultKinds.version, tenant: 'nest', name: 'egg.v1' }
  const row = await store.read(system, { ...broken, name: 'bird.v3' }, call)
  await store.write(system, [{ op: 'replace', draft: { key: broken, spec: row?.spec } }], {}, call)
  await vault.resolve({ tenant: 'nest', name: 'egg', key: 'k1' }, call).catch(collect)
  await vault.resolve({ tenant: 'nest', name: 'bird', key: 'absent' }, call).catch(collect)
  await vault.openContent(owner, 'k1', 'absent', call).catch(collect)
  expect(faults).toHaveLength(3)
  for (const fault of faults) log.error('it failed', { error: fault, values, resolved, plain: [...values] })
  expect(said).toHaveLength(3)
  const objects = await Promise.all(
    ['Secret', ...Object.values(vaultKinds)].map((kind) => store.list(system, { kind, limit: 100 }, call)),
  )
  const audited = await store.audit(system, { limit: 100 }, call)
  return [said.join(''), JSON.stringify([objects, audited, faults]), inspect([faults, resolved, values], deep)].join()
}

const deep = { depth: 20, showHidden: true }
const audit = (detail: unknown) => ({ actor: 'test', action: 'put', outcome: 'done' as const, detail })

describe('a value that was given to the vault', () => {
  it('is nowhere in the files of SQLite, a backup, the log, the objects, the audit or any fault', async () => {
    const subject = await vaultSubject()
    onTestFinished(() => subject.dispose())
    const planted = canaries()
    const shown = await live(subject, planted)
    const backup = await backupOf(subject)
    expect(backup.includes('egg.v1')).toBe(true)
    const bytes = Buffer.concat([await subject.bytes(), backup])
    expect(bytes.includes('egg.v1')).toBe(true)
    for (const canary of planted) expect(findTraces(Buffer.concat([bytes, Buffer.from(shown)]), canary)).toEqual([])
  })

  it('is nowhere in the tables of PostgreSQL', async ({ skip }) => {
    if (postgres.state !== 'ready') return skip(postgres.why)
    const schema = `test_${randomBytes(8).toString('hex')}`
    const address = new URL(postgres.address)
    address.searchParams.set('schema', schema)
    const subject = await vaultSubject(address.href)
    const client = new pg.Client({ connectionString: postgres.address })
    await client.connect()
    onTestFinished(async () => {
      await subject.dispose()
      await client.query(`DROP SCHEMA ${schema} CASCADE`)
      await client.end()
    })
    const planted = canaries()
    const shown = await live(subject, planted)
    const dump = await dumpOf(client, schema)
    expect(dump).toContain('egg.v1')
    for (const canary of planted) expect(findTraces(Buffer.from(dump + shown), canary)).toEqual([])
  })

  it.each([
    ['raw', (c: Buffer) => c],
    ['as base64', (c: Buffer) => c.toString('base64')],
    ['as base64 after one other byte', (c: Buffer) => Buffer.concat([Buffer.from('x'), c]).toString('base64')],
    ['as base64 after two other bytes', (c: Buffer) => Buffer.concat([Buffer.from('xy'), c, c]).toString('base64')],
    ['as base64 for URLs', (c: Buffer) => c.toString('base64url')],
    ['as hex', (c: Buffer) => c.toString('hex')],
    ['as JSON', (c: Buffer) => JSON.stringify({ a: c.toString() })],
    ['escaped for a URL', (c: Buffer) => encodeURIComponent(c.toString())],
    ['as a list of bytes', (c: Buffer) => JSON.stringify([...c])],
  ])('would be found %s', (_, encode) => {
    const canary = Buffer.from('"\\&/ 0123456789abcdefé<')
    const haystack = Buffer.concat([Buffer.from('before'), Buffer.from(encode(canary)), Buffer.from('after')])
    expect(findTraces(haystack, canary)).not.toEqual([])
  })
})

async function backupOf({ store, keyFile }: VaultSubject): Promise<Buffer> {
  const file = `${keyFile}.backup`
  await writeBackup({ store, scope: system, file, clock: systemClock }, call)
  return gunzipSync(await readFile(file))
}

async function dumpOf(client: pg.Client, schema: string): Promise<string> {
  const tables = await client.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1',
    [schema],
  )
  const texts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await client.query(`SELECT * FROM "${schema}"."${name}"`)
    // Twice: as it is, and as it would be shown, so that an escape of ours does not hide one of theirs.
    texts.push(JSON.stringify(rows), rows.map((row) => Object.values(row).join('\n')).join('\n'))
  }
  return texts.join('\n')
}
