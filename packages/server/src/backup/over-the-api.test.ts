import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createClient } from '@gantry/api'
import { systemClock } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { openStore, systemScope } from '@gantry/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveOptions } from '../serve/options.ts'
import { restore } from '../serve/restore.ts'
import { call, type Plane, secretOf, startPlane, workloadOf } from '../testing/plane.ts'
import { keySource } from '../vault/key-source.ts'
import { verifyBackup } from './backup.ts'
import { backupStream } from './backup-stream.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-online-backup-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const started: Plane[] = []
afterAll(() => Promise.all(started.map((plane) => plane.dispose())))

async function planeIn(name: string): Promise<Plane> {
  const keys = keySource({ type: 'file', path: join(folder, 'master.key') })
  const plane = await startPlane({ database: `sqlite:${join(folder, name, 'gantry.sqlite')}`, keys })
  started.push(plane)
  return plane
}

describe('a backup over the API', () => {
  it('is taken while writes go on, and restored into an empty folder with everything that was acknowledged before', async () => {
    const plane = await planeIn('first')
    const { workloads, secrets } = plane.client.tenant('default')
    await secrets.put(secretOf('db'))
    await secrets.putData('db', { text: { url: 'here' } })
    for (let n = 0; n < 30; n += 1) await workloads.put(workloadOf(`before-${n}`))
    let isTaken = false
    const writing = (async () => {
      for (let n = 0; !isTaken; n += 1) await workloads.put(workloadOf(`during-${n}`))
    })()
    const { token } = await plane.system()
    const file = join(folder, 'backup.gz')
    // Over a socket, as somebody elsewhere would.
    const bytes = createClient({ server: plane.address, token }).backup()
    await pipeline(bytes, createWriteStream(file))
    isTaken = true
    await writing
    expect((await verifyBackup(file, call)).rows).toBeGreaterThan(30)

    const { data, database } = serveOptions(['--data', join(folder, 'second')], {})
    await restore({ data, database, file }, call)
    const again = await planeIn('second')
    const names = (await again.client.tenant('default').workloads.list().toArray()).map(({ metadata }) => metadata.name)
    expect(names.filter((name) => name.startsWith('before-'))).toHaveLength(30)
    expect((await again.client.tenant('default').secrets.get('db')).status.version).toBe(1)
    expect(await again.client.audit.verify()).toMatchObject({ intact: true })
    const taken = await plane.client.audit.list().toArray()
    expect(taken).toContainEqual(expect.objectContaining({ action: 'server.backup', outcome: 'done' }))
    await expect(restore({ data, database, file }, call)).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('is for the role system alone', async () => {
    const plane = await startPlane()
    started.push(plane)
    const { client } = await plane.as('default', 'admin')
    await expect(client.backup()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ kind: 'forbidden' })
  })

  it('of a database that cannot be backed up is refused before anything is sent', async () => {
    const plane = await startPlane()
    started.push(plane)
    await expect(plane.client.backup()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ kind: 'unsupported' })
  })

  it('lets go of a reader that takes nothing', async () => {
    const store = await openStore({ database: `sqlite:${join(folder, 'stalled', 'store.sqlite')}` }, call)
    // More than a stream holds, and such that it cannot be made smaller.
    for (const name of ['a', 'b', 'c']) {
      const draft = { key: { kind: 'Large', name }, spec: randomBytes(100_000).toString('base64') }
      await store.write(systemScope(), [{ op: 'create', draft }], {}, call)
    }
    const clock = new VirtualClock()
    const stream = await backupStream({ store, scope: systemScope(), clock, stalledMs: 1000 }, call)
    const broken = new Promise((resolve) => stream.once('error', resolve))
    stream.read(0)
    await expect.poll(() => stream.readableLength).toBeGreaterThanOrEqual(stream.readableHighWaterMark)
    await clock.advance(1000)
    expect(await broken).toMatchObject({ reason: 'slow_reader' })
    await store.close()
  })

  it('ends when its reader is gone', async () => {
    const store = await openStore({ database: `sqlite:${join(folder, 'left', 'store.sqlite')}` }, call)
    const options = { store, scope: systemScope(), clock: systemClock, stalledMs: 60_000 }
    for await (const _ of await backupStream(options, call)) break
    // A snapshot that is still open would hold this up for ever.
    await store.close()
  })
})
