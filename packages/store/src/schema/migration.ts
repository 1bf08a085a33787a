/** One schema for both databases: what differs between them is a handful of words. */
export type Dialect = {
  readonly name: 'sqlite' | 'postgres'
  /** Compared byte by byte, so that both databases sort alike. */
  readonly text: string
  readonly integer: string
  /** After the columns of a table that is little more than its key. */
  readonly keyOnly: string
}

export const sqliteDialect: Dialect = { name: 'sqlite', text: 'TEXT', integer: 'INTEGER', keyOnly: ' WITHOUT ROWID' }

export const postgresDialect: Dialect = { name: 'postgres', text: 'TEXT COLLATE "C"', integer: 'BIGINT', keyOnly: '' }

/** One step forward. A published one is never changed: databases out there have run it. */
export type Migration = {
  readonly version: number
  readonly what: string
  readonly statements: (dialect: Dialect) => readonly string[]
}
