export type { MakeSubject, OpenOptions, StoreSubject } from './contract/subject.ts'
export { storeContract } from './contract.ts'
export { sqliteSubject } from './sqlite-subject.ts'
