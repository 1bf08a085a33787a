/** SQLite as Node has it where it does, and the same API from a package where it does not (Node 20). */

export type SqlValue = string | number | bigint | null

export type SqlRow = Record<string, SqlValue>

export interface SqlStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint }
  get(...values: SqlValue[]): SqlRow | undefined
  all(...values: SqlValue[]): SqlRow[]
  setReadBigInts(on: boolean): void
}

export interface SqlConnection {
  exec(sql: string): void
  prepare(sql: string): SqlStatement
  close(): void
}

type Driver = { readonly DatabaseSync: new (path: string, options?: { readOnly?: boolean }) => SqlConnection }

export async function loadDriver(): Promise<Driver> {
  const builtIn = process.getBuiltinModule?.('node:sqlite') as Driver | undefined
  return builtIn ?? ((await import('@photostructure/sqlite')) as unknown as Driver)
}

/** Runs `work` between BEGIN and COMMIT, or takes it back and rethrows. */
export function transaction<T>(db: SqlConnection, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    rollback(db)
    throw error
  }
}

/** On some errors (a full disk) SQLite has rolled back by itself, and says that there is nothing to roll back. */
export function rollback(db: SqlConnection): void {
  try {
    db.exec('ROLLBACK')
  } catch (error) {
    if (resultCode(error) !== sqliteError) throw error
  }
}

const sqliteError = 1

/** The primary result code of an SQLite error, `undefined` if it is none. */
export function resultCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}
