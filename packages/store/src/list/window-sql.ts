/** Reading windows of the change log and of the audit. */
import type { AuditWindow, ChangeWindow } from '../database.ts'
import type { Statement } from './page-sql.ts'

export function changesSql({ after, upTo, limit, kind, tenant }: ChangeWindow): Statement {
  const columns = 'version, kind, tenant, name, type, body, labels_before AS "labelsBefore", at'
  const values: (string | number)[] = [after, upTo]
  let filter = ''
  if (kind !== undefined) {
    filter += ' AND kind = ?'
    values.push(kind)
  }
  if (tenant !== undefined) {
    filter += ' AND tenant = ?'
    values.push(tenant)
  }
  values.push(limit)
  const range = `version > ? AND version <= ?${filter}`
  return { text: `SELECT ${columns} FROM changes WHERE ${range} ORDER BY version LIMIT ?`, values }
}

export function auditSql({ tenant, after, limit, descending }: AuditWindow): Statement {
  const values: (string | number)[] = [after]
  if (tenant !== undefined) values.push(tenant)
  values.push(limit)
  const range = `sequence ${descending ? '<' : '>'} ?${tenant === undefined ? '' : ' AND tenant = ?'}`
  const order = `ORDER BY sequence${descending ? ' DESC' : ''} LIMIT ?`
  return { text: `SELECT sequence, tenant, content, hash FROM audit WHERE ${range} ${order}`, values }
}
