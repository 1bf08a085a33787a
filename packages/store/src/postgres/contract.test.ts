import { it } from 'vitest'
import { storeContract } from '../testing/contract.ts'
import { postgresEngine } from '../testing/postgres-engine.ts'
import { postgresSubject } from '../testing/postgres-subject.ts'

const engine = await postgresEngine()

if ('url' in engine) storeContract('PostgreSQL', () => postgresSubject(engine.url))
else it('keeps the promises of the store on PostgreSQL', ({ skip }) => skip(engine.why))
