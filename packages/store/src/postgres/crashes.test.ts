import { describe, it } from 'vitest'
import { surviveKills } from '../testing/crashes.ts'
import { postgresEngine } from '../testing/postgres-engine.ts'
import { postgresSubject } from '../testing/postgres-subject.ts'

const engine = await postgresEngine()
const kills = 40

describe('a process killed while it writes to PostgreSQL', () => {
  it(`leaves everything acknowledged, and nothing by halves, ${kills} times`, { timeout: 300_000 }, async ({
    skip,
  }) => {
    if ('why' in engine) return skip(engine.why)
    const subject = await postgresSubject(engine.url)
    await surviveKills(subject, subject.database, kills)
    await subject.dispose()
  })
})
