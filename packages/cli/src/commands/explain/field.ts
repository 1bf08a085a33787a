/** Pure: a field of a schema, by its path. Lists and maps are gone through without being named. */
import { Fault, nearest } from '@gantry/core'
import type { JsonSchema } from '@gantry/core/schemas'

export type Field = {
  /** As it was asked for: `workload.spec.services`. */
  readonly path: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

export function fieldAt(root: JsonSchema, kind: string, parts: readonly string[]): Field {
  let field: Field = { path: kind, schema: root, isRequired: true }
  for (const part of parts) field = below(field, part)
  return field
}

function below(field: Field, part: string): Field {
  const fields = fieldsOf(field)
  const found = fields.find(({ name }) => name === part)
  if (found) return { path: `${field.path}.${part}`, schema: found.schema, isRequired: found.isRequired }
  // Any key of a map is as good as another.
  const value = valueOfMap(field.schema)
  if (value && part !== '') return { path: `${field.path}.${part}`, schema: value, isRequired: false }
  const names = fields.map(({ name }) => name)
  const guess = nearest(part, names)
  const hint =
    guess !== undefined
      ? `did you mean "${field.path}.${guess}"?`
      : names.length > 0
        ? `there are ${names.join(', ')}`
        : 'there are none below it'
  throw new Fault('bad_request', `${field.path} has no field ${JSON.stringify(part)}; ${hint}`)
}

export type NamedField = { readonly name: string; readonly schema: JsonSchema; readonly isRequired: boolean }

/** Those directly below: of each alternative, and of what a list is of. */
export function fieldsOf({ schema }: Pick<Field, 'schema'>): NamedField[] {
  const found = new Map<string, NamedField>()
  for (const one of alternatives(schema)) {
    const inner = one.items ? fieldsOf({ schema: one.items }) : own(one)
    for (const field of inner) if (!found.has(field.name)) found.set(field.name, field)
  }
  return [...found.values()]
}

function own({ properties = {}, required = [] }: JsonSchema): NamedField[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }))
}

export function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const among = schema.anyOf ?? schema.oneOf
  return among === undefined ? [schema] : among.flatMap(alternatives)
}

export function valueOfMap(schema: JsonSchema): JsonSchema | undefined {
  const maps = alternatives(schema).flatMap(({ additionalProperties: value }) =>
    typeof value === 'object' ? [value] : [],
  )
  return maps[0]
}
