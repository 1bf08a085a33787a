/** Pure: what is said of a field. */
import { indented } from '../../output/sections.ts'
import type { Style } from '../../output/style.ts'
import { wrap } from '../../output/wrap.ts'
import { type Field, fieldsOf, type NamedField } from './field.ts'
import { defaultWords, typeWords } from './type-words.ts'

export function fieldText(field: Field, columns: number, style: Style): string {
  const { path, schema, isRequired } = field
  const about = schema.description === undefined ? '' : `${indented(wrap(`${schema.description}.`, columns - 2))}\n`
  const named = { name: path, schema, isRequired: isRequired && path.includes('.') }
  const below = fieldsOf(field).map((one) => entry(one, columns, style))
  const fields = below.length === 0 ? '' : `\nFields:\n${below.join('')}`
  return `${heading(named, style)}\n${about}${fields}`
}

function entry(field: NamedField, columns: number, style: Style): string {
  const about = field.schema.description
  const text = about === undefined ? '' : `${indented(wrap(`${about}.`, columns - 6), '      ')}\n`
  return `  ${heading(field, style)}\n${text}`
}

function heading({ name, schema, isRequired }: NamedField, style: Style): string {
  const without = defaultWords(schema)
  const more = isRequired ? ', required' : without === undefined ? '' : `, default ${without}`
  return `${style.strong(name)} <${typeWords(schema)}>${style.dim(more)}`
}

/** Names and types only; what they mean is asked for one at a time. */
export function treeText({ path, schema }: Field, style: Style): string {
  const lines: string[] = []
  const walk = (at: Pick<Field, 'schema'>, depth: number): void => {
    for (const field of fieldsOf(at)) {
      lines.push(`${'  '.repeat(depth)}${heading(field, style)}`)
      walk(field, depth + 1)
    }
  }
  walk({ schema }, 1)
  return `${[`${style.strong(path)} <${typeWords(schema)}>`, ...lines].join('\n')}\n`
}
