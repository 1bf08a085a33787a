/** Ten thousand requests made from the table of endpoints, by callers who may and callers who may not. */
import { allEndpoints, type Endpoint, faultsOf } from '@gantry/api'
import { type FaultKind, faultMeaning } from '@gantry/core'
import { arbitraryDocument } from '@gantry/core/testing/arbitraries'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Got, type Plane, secretOf, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'

let plane: Plane
const tokens: string[] = []

beforeAll(async () => {
  plane = await startPlane()
  for (const name of ['own', 'foreign']) await plane.client.tenants.put(tenantOf(name))
  await plane.client.tenant('foreign').workloads.put(workloadOf('untouched'))
  for (const role of ['viewer', 'operator', 'admin'] as const) tokens.push((await plane.as('own', role)).token)
})
afterAll(() => plane.dispose())

const strange = fc.constantFrom(
  '..',
  '%2e%2e%2f',
  '%',
  '%00',
  'a'.repeat(600),
  "'; DROP TABLE objects; --",
  '__proto__',
  '𝒳',
)
const place = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('own', 'foreign', 'a', 'b') },
  { weight: 1, arbitrary: strange },
)
const json = fc.oneof(
  arbitraryDocument.map((document) => JSON.stringify(document)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc
    .record({ objects: fc.array(arbitraryDocument, { maxLength: 2 }), tenant: place })
    .map((body) => JSON.stringify(body)),
  fc.record({ name: place, role: fc.constantFrom('viewer', 'system', 'root') }).map((body) => JSON.stringify(body)),
  fc.constantFrom(
    '',
    '{',
    '[1,',
    '\u0000',
    '{"a":1e999}',
    '{"__proto__":{"x":1}}',
    `${'['.repeat(3000)}${']'.repeat(3000)}`,
  ),
)
const query = fc.constantFrom(
  ...['', '', '', '', '', ''],
  '?limit=1',
  '?limit=0',
  '?limit=x',
  '?continue=%00',
  '?labelSelector=(((',
  '?unknown=1',
  '?limit=1&limit=2',
)
const header = fc.constantFrom<Record<string, string>>(
  ...[{}, {}, {}, {}, {}, {}],
  { 'if-match': '"1"' },
  { 'if-match': 'x' },
  { 'if-none-match': '*' },
  { 'content-type': 'text/plain' },
  { 'last-event-id': '-1' },
)

const request = fc.record({
  endpoint: fc.constantFrom(...allEndpoints),
  tenant: place,
  name: place,
  body: json,
  query,
  headers: header,
  caller: fc.nat({ max: 4 }),
  /** Sometimes the right thing for the right place: what is never let in tests little. */
  fitting: fc.option(fc.oneof(arbitraryDocument, fc.constant('right' as const))),
})

/** One that the endpoint takes, for the kinds that the callers may write. */
function fitted<Document extends object>(fitting: Document | 'right', { operation }: Endpoint): object {
  if (fitting !== 'right') return fitting
  return operation.startsWith('secret.') ? secretOf('x') : workloadOf('x')
}

/** What the description of the endpoint allows; what has no endpoint is not found, and nothing else. */
function isDocumented(endpoint: Endpoint, { status, json }: Got): boolean {
  if (status < 400) return (endpoint.reply.statuses as readonly number[]).includes(status)
  const kind = json.kind as FaultKind
  if (json.reason === 'route_not_found' || json.reason === 'bad_request') return true
  // Where a tenant is in the path it may not be there, which `faultsOf` leaves out for lists.
  const isKnown = faultsOf(endpoint).includes(kind)
  return isKnown && faultMeaning[kind].status === status && typeof json.requestId === 'string'
}

describe('ten thousand requests of every sort', () => {
  it('are all answered as documented, none with an internal fault', async () => {
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(request, async ({ endpoint, tenant, name, body, query, headers, caller, fitting }) => {
        const path = endpoint.path.replace('{tenant}', tenant).replace('{name}', name)
        const token = tokens[caller]
        const got = await plane.send(endpoint.method, path + query, {
          headers,
          ...(endpoint.method !== 'GET' && {
            body: fitting ? JSON.stringify(named(fitted(fitting, endpoint), name)) : body,
          }),
          ...(token !== undefined && { token }),
        })
        seen.add(got.status)
        expect(got.json.kind, got.text).not.toBe('internal')
        expect(isDocumented(endpoint, got), `${endpoint.operation} ${path} → ${got.status} ${got.text}`).toBe(true)
      }),
      { numRuns: 10_000, seed: 4, endOnFailure: true },
    )
    expect([...seen].sort()).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404]))
  })

  it('have changed nothing where nobody had permission', async () => {
    const { items } = await page('/v1/tenants/foreign/workloads')
    expect(items).toMatchObject([{ metadata: { name: 'untouched', generation: 1 } }])
    expect(await plane.client.tenants.list().toArray()).toHaveLength(3)
    expect(await plane.client.providers.list().toArray()).toEqual([])
  })
})

function named(document: object, name: string): object {
  const { metadata } = document as { metadata: object }
  return { ...document, metadata: { ...metadata, name, tenant: undefined, uid: undefined } }
}

async function page(path: string): Promise<{ items: unknown[] }> {
  const { token } = await plane.system()
  return (await plane.send('GET', path, { token })).json as unknown as { items: unknown[] }
}
