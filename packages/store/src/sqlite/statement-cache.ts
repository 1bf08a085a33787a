import type { SqlConnection, SqlStatement } from './driver.ts'

const most = 200

/** Compiled statements by their text. Selectors come in endless shapes, so the one unused for longest makes room. */
export class StatementCache {
  readonly #db: SqlConnection
  readonly #statements = new Map<string, SqlStatement>()

  constructor(db: SqlConnection) {
    this.#db = db
  }

  get(text: string): SqlStatement {
    const known = this.#statements.get(text)
    const statement = known ?? this.#db.prepare(text)
    if (known) this.#statements.delete(text)
    else if (this.#statements.size >= most) this.#statements.delete(this.#statements.keys().next().value ?? '')
    this.#statements.set(text, statement)
    return statement
  }
}
