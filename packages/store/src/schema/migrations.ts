/** Every version of the schema there has been, in order. */
import { Fault } from '@gantry/core'
import { objects } from './001-objects.ts'
import { usage } from './002-usage.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [objects, usage]

export const schemaVersion: number = migrations.length

/** In both databases; what it lists has been run. */
export const versionTable = 'CREATE TABLE schema_version (version INTEGER PRIMARY KEY, at BIGINT NOT NULL)'

/** What is still to run on a database of this version. */
export function migrationsAfter(version: number, upTo: number = schemaVersion): readonly Migration[] {
  return migrations.filter((migration) => migration.version > version && migration.version <= upTo)
}

export function refuseNewer(version: number, where: string): void {
  if (version <= schemaVersion) return
  const message = `The database ${where} was written by a newer Gantry (schema ${version}; this one knows ${schemaVersion})`
  throw new Fault('store_too_new', `${message}. It was left untouched: run that newer version, or restore a backup`)
}
