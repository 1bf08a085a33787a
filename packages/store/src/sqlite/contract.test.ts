import { storeContract } from '../testing/contract.ts'
import { sqliteSubject } from '../testing/sqlite-subject.ts'

storeContract('SQLite', sqliteSubject)
