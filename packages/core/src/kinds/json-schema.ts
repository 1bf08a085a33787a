/** The schema of a kind as JSON Schema, for whoever shows it or checks by it. */
import { z } from 'zod'
import { kindCalled } from './registry.ts'

/** As far as people and programs look into it. */
export type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

/** The whole object as a user may write it, with the status that the server adds. */
export function objectSchema(kind: string): JsonSchema {
  const { envelope, status } = kindCalled(kind)
  const options = { target: 'draft-7', unrepresentable: 'throw', reused: 'inline' } as const
  const written = z.toJSONSchema(envelope, { ...options, io: 'input' }) as JsonSchema
  const seen = z.toJSONSchema(status, options) as JsonSchema
  const description = 'What is; set by the server, ignored in a file'
  return { ...written, properties: { ...written.properties, status: { ...seen, description } } }
}
