/** What SQLite's result codes mean to a caller, and what can be done about each. */
import { Fault, isFault } from '@gantry/core'
import { resultCode } from './driver.ts'

const codes = { busy: 5, readonly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const

export function sqliteFault(error: unknown, file: string): unknown {
  if (isFault(error)) return error
  const code = resultCode(error)
  const more = { cause: error, ...(error instanceof Error ? { detail: error.message } : {}) }
  switch (code) {
    case codes.full:
      return new Fault(
        'store_full',
        `The disk of the database ${file} is full. Nothing was written; free some space and try again`,
        more,
      )
    case codes.corrupt:
    case codes.notADatabase:
      return corrupt(file, 'it is damaged or not a database', more)
    case codes.busy:
      return new Fault('store_locked', `Another process is writing to the database ${file}`, more)
    case codes.readonly:
    case codes.cannotOpen:
      return new Fault(
        'store_unavailable',
        `The database ${file} cannot be opened for writing; check that the file and its folder belong to this user`,
        more,
      )
    case codes.io:
      return new Fault('store_unavailable', `The disk of the database ${file} failed; see the system's log`, more)
    default:
      return error
  }
}

export function corrupt(file: string, why: string, more: { detail?: string; cause?: unknown } = {}): Fault {
  const advice = 'It was left untouched: restore a backup, or move the file away to begin with an empty store'
  return new Fault('store_corrupt', `The database ${file} cannot be used: ${why}. ${advice}`, more)
}
