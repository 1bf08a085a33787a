import { arbitraryDocument, arbitraryName, arbitraryText } from '@gantry/core/testing/arbitraries'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from '../endpoints/table.ts'
import { abortBody, deployBody, rollbackBody, scaleBody } from '../schemas/actions.ts'
import { applyInput, planInput } from '../schemas/plan.ts'
import { secretChange, secretData } from '../schemas/secret-data.ts'
import { systemTokenInput, tenantTokenInput } from '../schemas/token.ts'
import { anyInput, inputOf, patchOf } from '../schemas/write.ts'
import { arbitraryAbort, arbitraryDeploy, arbitraryRollback, arbitraryScale } from '../testing/arbitrary-actions.ts'
import { nearly } from '../testing/mutations.ts'
import { compileValidator } from './compile.ts'

/** What zod says, but for what only zod can say: the transforms of quantities, which come after the shape. */
function shapeFits(schema: z.ZodType, value: unknown): boolean {
  const { success, error } = schema.safeParse(value)
  return success || error.issues.every(({ code }) => code === 'custom')
}

const time = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString())
const secretKey = fc.stringMatching(/^[-._A-Za-z0-9]{1,20}$/)
const data = fc.record(
  {
    text: fc.dictionary(secretKey, arbitraryText, { maxKeys: 3, noNullPrototype: true }),
    base64: fc.dictionary(secretKey, fc.base64String({ maxLength: 40 }), { maxKeys: 3, noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const dataChange = fc.record(
  {
    text: fc.dictionary(secretKey, fc.option(arbitraryText), { maxKeys: 3, noNullPrototype: true }),
    base64: fc.dictionary(secretKey, fc.option(fc.base64String({ maxLength: 40 })), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const applied = fc.record(
  {
    objects: fc.array(arbitraryDocument, { maxLength: 2 }),
    tenant: arbitraryName,
    prune: fc.record({ labelSelector: fc.constantFrom('team=web', '!legacy') }, { noNullPrototype: true }),
    plan: fc.stringMatching(/^[0-9a-f]{64}$/),
  },
  { requiredKeys: ['objects'], noNullPrototype: true },
)
const planned = applied.map(({ plan: _, ...rest }) => rest)
const patch = fc.record(
  {
    metadata: fc.record(
      { labels: fc.dictionary(arbitraryName, fc.option(arbitraryName), { maxKeys: 3, noNullPrototype: true }) },
      { noNullPrototype: true },
    ),
    spec: fc.dictionary(arbitraryName, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const token = fc.record(
  { name: arbitraryName, role: fc.constantFrom('viewer', 'operator', 'admin'), expiresAt: time },
  { requiredKeys: ['name', 'role'], noNullPrototype: true },
)
const systemToken = token.map(({ role: _, ...rest }) => rest)

const ofKind = (kind: string) => arbitraryDocument.filter((document) => document.kind === kind)

const corpus: [string, z.ZodType, fc.Arbitrary<unknown>][] = [
  ['a Workload', inputOf('Workload'), ofKind('Workload')],
  ['a Tenant', inputOf('Tenant'), ofKind('Tenant')],
  ['a Provider', inputOf('Provider'), ofKind('Provider')],
  ['a Secret', inputOf('Secret'), ofKind('Secret')],
  ['a Route', inputOf('Route'), ofKind('Route')],
  ['any object', anyInput, arbitraryDocument],
  ['a patch', patchOf('Workload'), patch],
  ['what is applied', applyInput, applied],
  ['what is planned', planInput, planned],
  ['the values of a secret', secretData, data],
  ['a change of values of a secret', secretChange, dataChange],
  ['a deploy', deployBody, arbitraryDeploy],
  ['a rollback', rollbackBody, arbitraryRollback],
  ['a scale', scaleBody, arbitraryScale],
  ['an abort', abortBody, arbitraryAbort],
  ['a new token', tenantTokenInput, token],
  ['a new token of the installation', systemTokenInput, systemToken],
]

describe('both validators', () => {
  it('are asked about the body of every endpoint', () => {
    const asked = new Set(corpus.map(([, schema]) => schema))
    const bodies = allEndpoints.flatMap(({ body, operation }) => (body ? [[operation, body.schema] as const] : []))
    expect(bodies.filter(([, schema]) => !asked.has(schema)).map(([operation]) => operation)).toEqual([])
  })

  it.each(corpus)('accept %s that is valid', (_, schema, valid) => {
    const fits = compileValidator(schema)
    fc.assert(
      fc.property(valid, (value) => {
        expect([fits(value), shapeFits(schema, value)]).toEqual([true, true])
      }),
      { numRuns: 100 },
    )
  })

  it.each(corpus)('agree about %s that is nearly valid', (_, schema, valid) => {
    const fits = compileValidator(schema)
    let refused = 0
    fc.assert(
      fc.property(nearly(valid), (value) => {
        const verdict = shapeFits(schema, value)
        if (!verdict) refused++
        expect(fits(value)).toBe(verdict)
      }),
      { numRuns: 500 },
    )
    expect(refused).toBeGreaterThan(100)
  })

  it.each(corpus)('agree about %s that is nothing of the sort', (_, schema) => {
    const fits = compileValidator(schema)
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(fits(value)).toBe(shapeFits(schema, value))
      }),
      { numRuns: 300 },
    )
  })

  it('change nothing in what they look at', () => {
    const fits = compileValidator(inputOf('Workload'))
    fc.assert(
      fc.property(fc.oneof(ofKind('Workload'), nearly(ofKind('Workload'))), (value) => {
        const before = JSON.stringify(value)
        fits(value)
        expect(JSON.stringify(value)).toBe(before)
      }),
      { numRuns: 100 },
    )
  })

  it.each<[string, z.ZodType, unknown, boolean]>([
    ['a number as text is not a number', z.strictObject({ n: z.int() }), { n: '1' }, false],
    ['a field too many is not overlooked', z.strictObject({}), { n: 1 }, false],
    ['a default is not needed', z.strictObject({ n: z.int().default(1) }), {}, true],
    ['a letter of two units is one letter', z.string().max(1), '\u{1f600}', true],
    ['more than a number can be is none', z.number(), Number.POSITIVE_INFINITY, false],
  ])('%s', (_, schema, value, verdict) => {
    expect([compileValidator(schema)(value), schema.safeParse(value).success]).toEqual([verdict, verdict])
  })

  it('refuse to be made of what JSON Schema cannot say', () => {
    expect(() => compileValidator(z.bigint())).toThrow()
  })
})
