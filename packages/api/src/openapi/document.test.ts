import { faultMeaning } from '@gantry/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { allEndpoints } from '../endpoints/table.ts'
import { faultsOf } from '../faults-of.ts'
import { openApiDocument } from './document.ts'

const document = openApiDocument()
const text = JSON.stringify(document)

type Operation = {
  operationId: string
  security?: unknown[]
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>
}

const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as unknown as Operation[])

describe('the document of the API', () => {
  it('has every endpoint, and nothing else', () => {
    const inDocument = operations.map(({ operationId }) => operationId)
    expect(inDocument.toSorted()).toEqual(allEndpoints.map(({ operation }) => operation).toSorted())
  })

  it('refers only to what is in it', () => {
    for (const [, where] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
      const found = where
        ?.replace('#/', '')
        .split('/')
        .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], document)
      expect([where, typeof found]).toEqual([where, 'object'])
    }
  })

  it('writes everything that has a name down once', () => {
    expect(text).not.toContain('$defs')
    expect(text.match(/"imagePullPolicy":/g)).toHaveLength(1)
  })

  it('has schemas that can be used', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'gantry', components: document.components })
    for (const name of Object.keys(document.components.schemas)) {
      expect(ajv.getSchema(`gantry#/components/schemas/${name}`)).toBeTypeOf('function')
    }
    const secret = ajv.getSchema('gantry#/components/schemas/SecretInput')
    const input = { apiVersion: 'gantry/v1', kind: 'Secret', metadata: { name: 'a' }, spec: {} }
    expect(secret?.(input)).toBe(true)
    expect(secret?.({ ...input, spec: { data: {} } })).toBe(false)
  })

  it.each(allEndpoints.map((one) => [one.operation, one] as const))('says how %s can fail', (operation, endpoint) => {
    const found = operations.find(({ operationId }) => operationId === operation)
    for (const kind of faultsOf(endpoint)) {
      const response = found?.responses[faultMeaning[kind].status]
      const name = response?.$ref?.split('/').at(-1)
      const whole = name ? document.components.responses[name] : response
      expect(Object.keys((whole?.content ?? {}) as object)).toContain('application/problem+json')
    }
    for (const status of endpoint.reply.statuses) expect(found?.responses[status]?.content).toBeDefined()
    expect(found?.security).toEqual(endpoint.permission === 'public' ? [] : undefined)
  })

  it('describes parameters as values, not as texts', () => {
    const list = operations.find(({ operationId }) => operationId === 'workload.list')
    const limit = list?.parameters?.find(({ name }) => name === 'limit')
    expect(limit).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000 } })
    expect(list?.parameters?.find(({ name }) => name === 'watch')?.schema).toEqual({ type: 'boolean' })
    expect(list?.parameters?.find(({ name }) => name === 'tenant')).toMatchObject({ in: 'path', required: true })
    expect(list?.responses[200]?.content).toHaveProperty('text/event-stream')
  })
})
