import { describe, it } from 'vitest'
import { surviveKills } from '../testing/crashes.ts'
import { postgresEngine } from '../testing/postgres-engine.ts'
import { postgresSubject } from '../testing/postgres-subject.ts'

const engine = await postgresEngine()
const kills = 40

describe('a process killed while it writes to PostgreSQL', () => {
  it.skipIf('why' in engine)(
    `leaves everything acknowledged, and nothing by halves, ${kills} times${'why' in engine ? `: ${engine.why}` : ''}`,
    { timeout: 300_000 },
    async () => {
      const subject = await postgresSubject('url' in engine ? engine.url : '')
      await surviveKills(subject, subject.database, kills)
      await subject.dispose()
    },
  )
})
