import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { engine } from '@gantry/engines'
import { describe, it } from 'vitest'
import { surviveKills } from '../testing/crash/kill.ts'
import { call } from '../testing/plane.ts'

const postgres = await engine('postgres', call)

describe('a server that is killed while many write', { timeout: 600_000 }, () => {
  it('has every acknowledged write, and its watchers go on without a gap or a repeat, on SQLite', async () => {
    await surviveKills((folder) => `sqlite:${join(folder, 'data', 'gantry.sqlite')}`)
  })

  it('has every acknowledged write, and its watchers go on without a gap or a repeat, on PostgreSQL', async ({
    skip,
  }) => {
    if (postgres.state !== 'ready') return skip(postgres.why)
    const address = new URL(postgres.address)
    address.searchParams.set('schema', `kill_${randomUUID().replaceAll('-', '')}`)
    await surviveKills(() => address.href)
  })
})
