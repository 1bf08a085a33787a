import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isFault } from '../fault.ts'
import { arbitraryDocument } from '../testing/arbitraries.ts'
import { fillerOf, refusedByFill } from './fill.ts'
import { type KindName, kinds } from './registry.ts'

const outcome = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    if (!isFault(error)) throw error
    return { message: error.message, issues: error.issues }
  }
}

describe('accepting what fits', () => {
  it('comes to the same as parsing, whatever the kind', () => {
    let refused = 0
    fc.assert(
      fc.property(arbitraryDocument, (document) => {
        const kind = kinds[document.kind as KindName]
        const parsed = outcome(() => kind.parse(document))
        if (typeof parsed === 'object' && parsed !== null && 'issues' in parsed) refused++
        expect(outcome(() => kind.accept(document))).toEqual(parsed)
      }),
      { numRuns: 500 },
    )
    expect(refused).toBeLessThan(500)
  })

  it('leaves what it was given as it was', () => {
    fc.assert(
      fc.property(arbitraryDocument, (document) => {
        const before = JSON.stringify(document)
        outcome(() => kinds[document.kind as KindName].accept(document))
        expect(JSON.stringify(document)).toBe(before)
      }),
      { numRuns: 200 },
    )
  })

  it('refuses in the same words what has the right shape and is none the less no amount', () => {
    const metadata = { name: 'web' }
    const service = { name: 'web', image: 'app:1', resources: { memory: '9999999999999999999999999999' } }
    const document = { apiVersion: 'gantry/v1', kind: 'Workload', metadata, spec: { services: [service] } }
    const parsed = outcome(() => kinds.Workload.parse(document))
    expect(parsed).toMatchObject({ issues: [{ path: 'spec.services[0].resources.memory' }] })
    expect(outcome(() => kinds.Workload.accept(document))).toEqual(parsed)
  })

  it.each<[string, z.ZodType, unknown]>([
    ['a default in a default', z.strictObject({ a: z.strictObject({ b: z.int().default(1) }).default({ b: 2 }) }), {}],
    ['a default below', z.strictObject({ a: z.strictObject({ b: z.int().default(1) }).optional() }), { a: {} }],
    ['what is optional and left out', z.strictObject({ a: z.string().default('x').optional() }), {}],
    [
      'a default that is filled itself',
      z.strictObject({ a: z.strictObject({ b: z.int().default(1) }).prefault({}) }),
      {},
    ],
    ['a list', z.array(z.strictObject({ a: z.string().default('x') })), [{}, { a: 'y' }]],
    ['a record with a transform', z.record(z.string(), z.number().transform(String)), { a: 1 }],
    ['a text that is trimmed', z.strictObject({ a: z.string().trim() }), { a: ' x ' }],
    ['a union', z.union([z.strictObject({ a: z.int().default(1) }), z.string()]), {}],
    ['a text or number', z.array(z.union([z.string(), z.number().transform(String)])), ['x', 1]],
    ['two sorts of text', z.array(z.union([z.literal('a').transform(() => 'A'), z.string()])), ['a', 'b']],
    ['an object that takes more', z.looseObject({ a: z.int().default(1) }), { b: 2 }],
    ['an object that drops more', z.object({ a: z.int().default(1) }), { b: 2 }],
    ['null', z.strictObject({ a: z.string().nullable() }), { a: null }],
    ['keys that are changed', z.record(z.string().toLowerCase(), z.int()), { A: 1 }],
  ])('fills %s as parsing does', (_, schema, value) => {
    expect(fillerOf(schema)(value)).toEqual(schema.parse(value))
  })

  it('says so where only parsing can refuse', () => {
    expect(fillerOf(z.strictObject({ a: z.string().refine(() => false) }))({ a: 'x' })).toBe(refusedByFill)
  })
})
