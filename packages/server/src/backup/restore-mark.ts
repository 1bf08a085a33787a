/**
 * What a restore leaves behind. What was made on engines after the backup is not in it, and looks like something that
 * nobody wants; so as long as this mark is there, nothing is collected as an orphan.
 */
import { type Call, type GantryObject, isFault, type ObjectKey } from '@gantry/core'
import type { RestoreOptions, Store, SystemScope } from '@gantry/store'
import type { Header } from './format.ts'

const markKey: ObjectKey = { kind: 'RestoreMark', name: 'restored' }

export type RestoreRecord = {
  readonly restoredAt: string
  /** When the backup was made; what changed since then is lost. */
  readonly backupOf: string
}

/** The mark, and how it learns when its backup was made: that stands in the file, which is read while it is restored. */
export function restoreMark(now: number): { mark: RestoreOptions['mark']; learn: (header: Header) => void } {
  const spec = { restoredAt: new Date(now).toISOString(), backupOf: '' }
  const learn = (header: Header): void => {
    spec.backupOf = header.createdAt
  }
  return { mark: { kind: markKey.kind, name: markKey.name, spec }, learn }
}

/** The restore that nobody has confirmed yet. Absent: orphans may be collected. */
export async function unconfirmedRestore(
  store: Store,
  scope: SystemScope,
  call: Call,
): Promise<RestoreRecord | undefined> {
  const found = (await store.read(scope, markKey, call)) as GantryObject<RestoreRecord> | undefined
  return found?.spec
}

/** Somebody has looked: from now on orphans are collected again. Twice is harmless. */
export async function confirmRestore(store: Store, scope: SystemScope, call: Call): Promise<void> {
  try {
    await store.write(scope, [{ op: 'delete', key: markKey }], {}, call)
  } catch (error) {
    if (!isFault(error, 'not_found')) throw error
  }
}
