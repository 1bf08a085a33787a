import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { kinds } from './registry.ts'
import { workloadFields } from './workload/spec.ts'

describe.each(Object.values(kinds).map((kind) => [kind.kind, kind] as const))('the schema of a %s', (_, kind) => {
  const schema = z.toJSONSchema(kind.envelope, { io: 'input', target: 'draft-7', unrepresentable: 'throw' }) as Schema

  it('can be said in JSON Schema, with nothing lost but what crosses fields', () => {
    expect(schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['apiVersion', 'kind', 'metadata', 'spec'],
    })
  })

  it('refuses unknown fields at every level', () => {
    const open: string[] = []
    walk(schema, 'root', (node, path) => {
      if (node.properties && node.additionalProperties !== false) open.push(path)
    })
    expect(open).toEqual([])
  })

  it('describes every field, for explain and the docs', () => {
    const silent: string[] = []
    walk(schema, 'root', (node, path) => {
      for (const [key, field] of Object.entries(node.properties ?? {}))
        if (!field.description) silent.push(`${path}.${key}`)
    })
    expect(silent).toEqual([])
  })

  it('describes every field of the status too', () => {
    const status = z.toJSONSchema(kind.status, { target: 'draft-7', unrepresentable: 'throw' }) as Schema
    const silent = Object.entries(status.properties ?? {}).filter(([, field]) => !field.description)
    expect(silent).toEqual([])
    expect(status).toMatchObject({ additionalProperties: false })
  })
})

it('the schema of a workload has every field, and asks for none: services or a source is a rule', () => {
  const spec = z.toJSONSchema(workloadFields, { io: 'input', target: 'draft-7', unrepresentable: 'throw' })
  expect(Object.keys(spec.properties ?? {})).toEqual(Object.keys(workloadFields.shape))
  expect(spec.required).toBeUndefined()
})

type Schema = {
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  description?: string
  items?: Schema
  anyOf?: Schema[]
}

function walk(node: Schema, path: string, visit: (node: Schema, path: string) => void): void {
  visit(node, path)
  for (const [key, field] of Object.entries(node.properties ?? {})) walk(field, `${path}.${key}`, visit)
  if (node.items) walk(node.items, `${path}[]`, visit)
  for (const option of node.anyOf ?? []) walk(option, path, visit)
}
