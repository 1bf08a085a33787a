/** Pure: objects of one kind as lines, by the columns of its face. */
import type { AnyFace, GantryObject } from '@gantry/core'
import { age } from './age.ts'
import { table } from './table.ts'

export type TableOptions = { readonly wide: boolean; readonly tenants: boolean; readonly now: number }

export function objectTable(
  face: AnyFace,
  objects: readonly GantryObject[],
  { wide, tenants, now }: TableOptions,
): string {
  const columns = face.columns.filter((column) => wide || column.wide !== true)
  const titles = [...(tenants ? ['TENANT'] : []), 'NAME', ...columns.map(({ title }) => title), 'AGE']
  const rows = objects.map((object) => [
    ...(tenants ? [object.metadata.tenant ?? '-'] : []),
    object.metadata.name,
    ...columns.map(({ value }) => value(object)),
    age(object.metadata.createdAt, now),
  ])
  return table(titles, rows)
}
