/**
 * Backups: everything the store holds as of one moment, in one compressed file that either database can be restored from.
 * Values of secrets are in it only as the vault has sealed them, so the master key must be kept besides.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type Call, type Clock, Fault, isFault } from '@gantry/core'
import { restoreStore, type SnapshotRow, type Store, type SystemScope } from '@gantry/store'
import { damaged, decode, encode, type Header } from './format.ts'
import { linesOf } from './lines.ts'
import { restoreMark } from './restore-mark.ts'

export type BackupOptions = {
  readonly store: Store
  readonly scope: SystemScope
  readonly file: string
  readonly clock: Clock
}

/** Writes go on meanwhile. The file is there, whole and on the disk, when it resolves; before, there is none of that name. */
export async function writeBackup({ store, scope, file, clock }: BackupOptions, call: Call): Promise<void> {
  const partial = `${file}.partial`
  const text = Readable.from(encode(store.snapshot(scope, call), clock.now()))
  try {
    const output = createWriteStream(partial, { mode: 0o600, flush: true })
    await pipeline(text, createGzip(), output, { signal: call.signal })
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    call.signal.throwIfAborted()
    throw isFault(error) ? error : unwritable(file, error)
  }
}

export type RestoreBackupOptions = {
  readonly file: string
  /** As the server is told it; must be empty. */
  readonly database: string
  readonly clock: Clock
}

/**
 * All of it or nothing. Orphans on engines are not collected afterwards until somebody has confirmed that: what was made
 * after the backup looks like one.
 */
export async function restoreBackup({ file, database, clock }: RestoreBackupOptions, call: Call): Promise<void> {
  const rows = readBackup(file, call)
  const { mark, learn } = restoreMark(clock.now())
  await restoreStore({ database, clock, mark }, rows(learn), call)
}

/** Reads it to its end without restoring anything, and says when it was made and how many rows it has. */
export async function verifyBackup(file: string, call: Call): Promise<{ createdAt: string; rows: number }> {
  let createdAt = ''
  let rows = 0
  const learn = (header: Header): void => {
    createdAt = header.createdAt
  }
  for await (const _ of readBackup(file, call)(learn)) rows += 1
  return { createdAt, rows }
}

function readBackup(file: string, call: Call): (learn: (header: Header) => void) => AsyncGenerator<SnapshotRow> {
  return async function* read(learn) {
    const input = createReadStream(file)
    const unzipped = createGunzip()
    // Its failure is told by what reads from it.
    const copied = pipeline(input, unzipped, { signal: call.signal }).catch(() => undefined)
    try {
      yield* decode(linesOf(unzipped), learn)
    } catch (error) {
      call.signal.throwIfAborted()
      throw isFault(error) ? error : unreadable(file, error)
    } finally {
      input.destroy()
      unzipped.destroy()
      await copied
    }
  }
}

function unreadable(file: string, error: unknown): Fault {
  const code = codeOf(error)
  if (code.startsWith('Z_') || code.startsWith('ERR_')) return damaged('it is cut or garbled', error)
  return new Fault('bad_request', `The backup ${file} cannot be read (${code}); check its name and permissions`, {
    cause: error,
  })
}

function unwritable(file: string, error: unknown): unknown {
  const code = codeOf(error)
  if (code === '') return error
  const advice = 'check that the folder is there, belongs to this user and has room'
  return new Fault('bad_request', `The backup ${file} cannot be written (${code}): ${advice}`, { cause: error })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
