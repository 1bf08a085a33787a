/** From zod to the schemas of the document. */
import { z } from 'zod'
import { documentedAs } from '../schemas/object.ts'
import { schemaNames } from './names.ts'

export type JsonSchema = { [key: string]: unknown }

/** By definition and not by object: describing a schema anew makes another object of the same definition. */
const names = new Map<unknown, string>(Object.entries(schemaNames).map(([name, schema]) => [schema._zod.def, name]))

/** All schemas that have a name. */
export function componentSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemaNames).map(([name, schema]) => [name, whole(schema)]))
}

/** A reference, if the schema has a name; else the schema itself. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  return referenceTo(schema) ?? whole(schema)
}

function whole(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'throw',
    override({ zodSchema, jsonSchema, path }) {
      const text = own(jsonSchema, 'text')
      const found = path.length > 0 ? referenceTo(zodSchema) : undefined
      if (found) become(jsonSchema, { ...found, ...described(jsonSchema) })
      else if (text) become(jsonSchema, { ...text, ...described(jsonSchema) })
    },
  })
  return rest
}

function referenceTo(schema: z.core.$ZodType): JsonSchema | undefined {
  const name = names.get((documentedAs.get(schema) ?? schema)._zod.def)
  return name === undefined ? undefined : { $ref: `#/components/schemas/${name}` }
}

/** A schema over text that stands for a value is described as the value. */
function own(schema: JsonSchema, key: string): JsonSchema | undefined {
  const value = schema[key]
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : undefined
}

function described({ description }: JsonSchema): JsonSchema {
  return description === undefined ? {} : { description }
}

function become(schema: JsonSchema, next: JsonSchema): void {
  for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, next)
}
