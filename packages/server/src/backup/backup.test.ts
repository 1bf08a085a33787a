import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Call, systemClock } from '@gantry/core'
import { engine } from '@gantry/engines'
import { type Command, openStore, type Store, systemScope } from '@gantry/store'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { restoreBackup, verifyBackup, writeBackup } from './backup.ts'
import { confirmRestore, unconfirmedRestore } from './restore-mark.ts'

const call: Call = { signal: new AbortController().signal }
const scope = systemScope()
const clock = systemClock
const postgres = await engine('postgres', call)

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'gantry-backup-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

async function open(database: string): Promise<Store> {
  const store = await openStore({ database }, call)
  onTestFinished(() => store.close())
  return store
}

type Place = 'sqlite' | 'postgres'

/** An empty database of its own. */
async function emptyDatabase(place: Place): Promise<string> {
  if (place === 'sqlite') return `sqlite:${join(await folder(), 'deep', 'store.sqlite')}`
  if (postgres.state !== 'ready') throw new Error(postgres.why)
  const address = new URL(postgres.address)
  const schema = `test_${randomBytes(8).toString('hex')}`
  address.searchParams.set('schema', schema)
  onTestFinished(async () => {
    const client = new pg.Client({ connectionString: postgres.address })
    await client.connect()
    await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await client.end()
  })
  return address.href
}

const nameOf = (n: number): string => `n${String(n).padStart(6, '0')}`

/** So many that a backup reads several pages of them. */
const seeded = 600

const pair = (n: number): Command[] =>
  ['left', 'right'].map((kind) => {
    const key = { kind, tenant: 't', name: nameOf(n) }
    const labels = { parity: n % 2 === 0 ? 'even' : 'odd' }
    // Whatever ends a line elsewhere must not end one in a backup.
    return { op: 'create', draft: { key, spec: { n, line: 'a\u2028b\r\nc' }, labels, usage: { pairs: 1n } } }
  })

/** Writes pairs one after the other until told to stop, the first ones at once. */
function writer(store: Store) {
  let acknowledged = 0
  let isStopped = false
  const write = async (from: number, to: number): Promise<void> => {
    const commands = Array.from({ length: to - from + 1 }, (_, at) => pair(from + at)).flat()
    await store.write(scope, commands, { audit: { actor: 'test', action: 'pair', outcome: 'done' } }, call)
    acknowledged = to
  }
  const done = (async () => {
    await write(1, seeded)
    for (let n = seeded + 1; !isStopped; n += 1) await write(n, n)
  })()
  return {
    acknowledged: () => acknowledged,
    until: async (count: number) => {
      while (acknowledged < count) await new Promise((resolve) => setImmediate(resolve))
    },
    stop: () => {
      isStopped = true
      return done
    },
  }
}

async function allOf(store: Store, kind: string, labelSelector = '') {
  const items = []
  let next: string | undefined
  do {
    const from = next === undefined ? {} : { continue: next }
    const page = await store.list(scope, { kind, labelSelector, limit: 5000, ...from }, call)
    items.push(...page.items)
    next = page.continue
  } while (next !== undefined)
  return items
}

async function backupOf(database: string): Promise<{ file: string; before: number; store: Store }> {
  const store = await open(database)
  const writing = writer(store)
  await writing.until(seeded + 20)
  const before = writing.acknowledged()
  const file = join(await folder(), 'backup.ndjson.gz')
  await writeBackup({ store, scope, file, clock }, call)
  await writing.until(before + 5)
  await writing.stop()
  return { file, before, store }
}

describe('a backup taken while writes go on', () => {
  it.for<[Place, Place]>([
    ['sqlite', 'sqlite'],
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
    ['postgres', 'postgres'],
  ])(
    'of %s restored into an empty %s holds every write acknowledged before, and nothing by halves',
    async (way, { skip }) => {
      if (postgres.state !== 'ready' && way.includes('postgres')) return skip(postgres.why)
      const [from, to] = way
      const { file, before, store } = await backupOf(await emptyDatabase(from))
      const database = await emptyDatabase(to)
      await restoreBackup({ file, database, clock }, call)
      const restored = await open(database)
      const left = await allOf(restored, 'left')
      const names = left.map(({ metadata }) => metadata.name)
      const pairs = names.length
      expect(pairs).toBeGreaterThanOrEqual(before)
      expect(names).toEqual(Array.from({ length: pairs }, (_, n) => nameOf(n + 1)))
      expect((await allOf(restored, 'right')).map(({ metadata }) => metadata.name)).toEqual(names)
      expect(left).toEqual((await allOf(store, 'left')).slice(0, pairs))
      expect(await allOf(restored, 'left', 'parity=odd')).toHaveLength(Math.ceil(pairs / 2))
      expect(await restored.usage(scope, 't', call)).toEqual({ pairs: BigInt(2 * pairs) })
      expect(await restored.verifyAudit(scope, call)).toMatchObject({ intact: true, entries: pairs - seeded + 1 })
    },
  )
})

async function smallBackup(): Promise<{ file: string; version: number; owner: string }> {
  const store = await open(await emptyDatabase('sqlite'))
  const owner = { kind: 'Owner', tenant: 't', name: 'o' }
  const { results } = await store.write(scope, [{ op: 'create', draft: { key: owner, spec: 1 } }], {}, call)
  const uid = results[0]?.object.metadata.uid ?? ''
  const child = {
    key: { kind: 'Child', tenant: 't', name: 'c' },
    spec: 1,
    ownerRefs: [{ kind: 'Owner', name: 'o', uid }],
  }
  const { resourceVersion } = await store.write(scope, [{ op: 'create', draft: child }], {}, call)
  const leases = store.leases(scope)
  const first = await leases.acquire('shard', 'one', 60_000, call)
  if (first) await leases.release(first, call)
  await leases.acquire('shard', 'two', 60_000, call)
  const file = join(await folder(), 'backup.ndjson.gz')
  await writeBackup({ store, scope, file, clock }, call)
  return { file, version: resourceVersion, owner: uid }
}

describe('a restored store', () => {
  it('goes on where versions cannot be mistaken, with owners, and with leases that are free but not forgotten', async () => {
    const { file, version } = await smallBackup()
    const database = await emptyDatabase('sqlite')
    await restoreBackup({ file, database, clock }, call)
    const store = await open(database)
    const late = store.changes(scope, { since: version }, call)[Symbol.asyncIterator]()
    await expect(late.next()).rejects.toEqual(expect.objectContaining({ reason: 'version_expired' }))
    const lease = await store.leases(scope).acquire('shard', 'three', 60_000, call)
    expect(lease?.epoch).toBe(3n)
    await store.write(scope, [{ op: 'delete', key: { kind: 'Owner', tenant: 't', name: 'o' } }], {}, call)
    expect(await allOf(store, 'Child')).toEqual([])
  })

  it('says that it was restored until somebody confirms it, also when it is backed up and restored again', async () => {
    const { file } = await smallBackup()
    let database = await emptyDatabase('sqlite')
    await restoreBackup({ file, database, clock }, call)
    const first = await open(database)
    expect(await unconfirmedRestore(first, scope, call)).toEqual({
      restoredAt: expect.stringMatching(/^20/),
      backupOf: (await verifyBackup(file, call)).createdAt,
    })
    await writeBackup({ store: first, scope, file, clock }, call)
    database = await emptyDatabase('sqlite')
    await restoreBackup({ file, database, clock }, call)
    const second = await open(database)
    expect(await unconfirmedRestore(second, scope, call)).toBeDefined()
    await confirmRestore(second, scope, call)
    await confirmRestore(second, scope, call)
    expect(await unconfirmedRestore(second, scope, call)).toBeUndefined()
  })

  it('is never made over one that holds something', async () => {
    const { file } = await smallBackup()
    const database = await emptyDatabase('sqlite')
    await restoreBackup({ file, database, clock }, call)
    const again = restoreBackup({ file, database, clock }, call)
    await expect(again).rejects.toEqual(expect.objectContaining({ reason: 'store_not_empty' }))
  })
})

describe('a backup file', () => {
  it('can be read by its owner only, and verified without a database', async () => {
    const { file } = await smallBackup()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await verifyBackup(file, call)).rows).toBe(4)
  })

  const change = (text: string, from: RegExp, to: string): string => {
    expect(text).toMatch(from)
    return text.replace(from, to)
  }

  it.each<[string, string, (text: string) => string]>([
    ['a changed value', 'backup_damaged', (text) => change(text, /"Child"/, '"Chill"')],
    ['a missing line', 'backup_damaged', (text) => change(text, /\{"type":"lease".*\n/, '')],
    ['a line twice', 'backup_damaged', (text) => change(text, /(\{"type":"lease".*\n)/, '$1$1')],
    ['a missing end', 'backup_damaged', (text) => change(text, /\{"type":"end".*\n/, '')],
    ['something after its end', 'backup_damaged', (text) => `${text}{}\n`],
    ['a line of an unknown type', 'backup_damaged', (text) => change(text, /"type":"lease"/, '"type":"leash"')],
    ['a line that is no JSON', 'backup_damaged', (text) => change(text, /\{"type":"lease"/, '{type')],
    ['another beginning', 'backup_damaged', (text) => change(text, /"gantry":"backup"/, '"gantry":"x"')],
    ['a format of tomorrow', 'backup_too_new', (text) => change(text, /"format":1/, '"format":2')],
    ['nothing in it', 'backup_damaged', () => ''],
  ])('with %s is refused, and leaves the database empty', async (_, reason, damage) => {
    const { file } = await smallBackup()
    await writeFile(file, gzipSync(damage(gunzipSync(await readFile(file)).toString())))
    const database = await emptyDatabase('sqlite')
    const restoring = restoreBackup({ file, database, clock }, call)
    await expect(restoring).rejects.toEqual(expect.objectContaining({ reason }))
    const store = await open(database)
    expect(await allOf(store, 'Owner')).toEqual([])
  })

  it('that is cut off, or not there, is refused', async () => {
    const { file } = await smallBackup()
    const whole = await readFile(file)
    await writeFile(file, whole.subarray(0, whole.length - 20))
    await expect(verifyBackup(file, call)).rejects.toEqual(expect.objectContaining({ reason: 'backup_damaged' }))
    await rm(file)
    await expect(verifyBackup(file, call)).rejects.toEqual(expect.objectContaining({ reason: 'bad_request' }))
  })

  it('is not left by halves when it is given up, for the reason that was given', async () => {
    const store = await open(await emptyDatabase('sqlite'))
    const file = join(await folder(), 'backup.ndjson.gz')
    const own = new AbortController()
    const reason = new Error('gave up')
    const writing = writeBackup({ store, scope, file, clock }, { signal: own.signal })
    own.abort(reason)
    await expect(writing).rejects.toBe(reason)
    await expect(stat(file)).rejects.toThrow('ENOENT')
    await expect(stat(`${file}.partial`)).rejects.toThrow('ENOENT')
  })
})
