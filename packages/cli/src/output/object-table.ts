/** Pure: objects of one kind as lines, by the columns of its face. */
import type { AnyFace, GantryObject } from '@gantry/core'
import { age } from './age.ts'
import type { Style } from './style.ts'
import type { Cell } from './table.ts'

export type TableOptions = {
  readonly wide: boolean
  /** Whose each is, where they are of several. */
  readonly tenants: boolean
  /** As `workload/web`, where there are tables of several kinds. */
  readonly kinds?: boolean
  readonly now: number
  readonly style: Style
}

type Columns = AnyFace['columns']

const shownColumns = ({ columns }: AnyFace, { wide }: TableOptions): Columns =>
  columns.filter((column) => wide || column.wide !== true)

export function titlesOf(face: AnyFace, options: TableOptions): string[] {
  const titles = shownColumns(face, options).map(({ title }) => title)
  return [...(options.tenants ? ['TENANT'] : []), 'NAME', ...titles, 'AGE']
}

export function rowOf(face: AnyFace, object: GantryObject, options: TableOptions): Cell[] {
  const cells = shownColumns(face, options).map((column) => cell(column, object, options))
  return around(face, object, cells, options)
}

/** What is left to say of one that is no more. */
export function goneRow(face: AnyFace, object: GantryObject, options: TableOptions): Cell[] {
  const cells = shownColumns(face, options).map((_, at) => (at === 0 ? 'deleted' : '-'))
  return around(face, object, cells, options)
}

function around(face: AnyFace, { metadata }: GantryObject, cells: readonly Cell[], options: TableOptions): Cell[] {
  const name = options.kinds ? `${face.kind.toLowerCase()}/${metadata.name}` : metadata.name
  return [...(options.tenants ? [metadata.tenant ?? '-'] : []), name, ...cells, age(metadata.createdAt, options.now)]
}

function cell({ value, since, title }: Columns[number], object: GantryObject, { now, style }: TableOptions): Cell {
  const text = value(object)
  const then = since?.(object)
  if (then !== undefined) return { text: `${text} (${age(then, now)})`, paint: style.warn }
  if (title !== 'STATE' && title !== 'PHASE' && title !== 'READY') return text
  const isBad = text === 'failed' || text === 'no' || text === 'rolled_back'
  return { text, paint: isBad ? style.bad : (one) => one }
}
