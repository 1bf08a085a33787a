/** A page of objects as SQL, the same for both databases but for how they write a parameter. */
import type { PageQuery } from '../database.ts'
import type { Selector } from './selector.ts'

export type Statement = { readonly text: string; readonly values: readonly (string | number)[] }

/** Always a range of one key, in its order: the cost of a page does not grow with the number of objects. */
export function pageSql(query: PageQuery): Statement {
  const values: (string | number)[] = []
  const bind = (value: string | number): string => {
    values.push(value)
    return '?'
  }
  const [driving, rest] = split(query.selector)
  if (!driving) {
    const from = 'SELECT c.body FROM resources r CROSS JOIN changes c WHERE c.version = r.version'
    const text = `${from} AND r.kind = ${bind(query.kind)} AND ${after('r', query, bind)}`
    return { text: `${text}${filters(rest, bind)}${order('r', query)} LIMIT ${bind(query.limit)}`, values }
  }
  const arm = (mark: string): string =>
    `SELECT m.tenant, m.name FROM marks m WHERE m.kind = ${bind(query.kind)} AND m.mark = ${bind(mark)} AND ${after('m', query, bind)}`
  const arms = driving.map(arm).join(' UNION ALL ')
  // SQLite keeps the order of a CROSS JOIN: first the marks, in the order of their key, then the object of each.
  const from = `SELECT c.body FROM (${arms}) k CROSS JOIN resources r CROSS JOIN changes c`
  const where = `WHERE c.version = r.version AND r.kind = ${bind(query.kind)} AND r.tenant = k.tenant AND r.name = k.name`
  return {
    text: `${from} ${where}${filters(rest, bind)} ORDER BY k.tenant, k.name LIMIT ${bind(query.limit)}`,
    values,
  }
}

type Bind = (value: string | number) => string

function after(table: string, { tenant, after }: PageQuery, bind: Bind): string {
  if (tenant !== undefined) return `${table}.tenant = ${bind(tenant)} AND ${table}.name > ${bind(after.name)}`
  return `(${table}.tenant, ${table}.name) > (${bind(after.tenant)}, ${bind(after.name)})`
}

const order = (table: string, { tenant }: PageQuery): string =>
  tenant === undefined ? ` ORDER BY ${table}.tenant, ${table}.name` : ` ORDER BY ${table}.name`

/** The group with the fewest marks leads; the others are looked up for each object it finds. */
function split({ any, none }: Selector): [driving: readonly string[] | undefined, rest: Selector] {
  const [driving, ...others] = [...any].sort((a, b) => a.length - b.length)
  return [driving, { any: others, none }]
}

function filters({ any, none }: Selector, bind: Bind): string {
  const marked = (marks: readonly string[]): string =>
    `EXISTS (SELECT 1 FROM marks x WHERE x.kind = r.kind AND x.mark IN (${marks.map(bind).join(', ')}) AND x.tenant = r.tenant AND x.name = r.name)`
  const positive = any.map((group) => ` AND ${marked(group)}`)
  return positive.join('') + (none.length > 0 ? ` AND NOT ${marked(none)}` : '')
}
