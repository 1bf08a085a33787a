import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Plane, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'

let plane: Plane
let token: string

beforeAll(async () => {
  plane = await startPlane()
  await plane.client.tenants.put(tenantOf('shop'))
  token = (await plane.as('shop', 'operator')).token
})
afterAll(() => plane.dispose())

const at = '/v1/tenants/shop/workloads'

describe('objects over the API', () => {
  it('are made, read, changed and deleted', async () => {
    const made = await plane.send('PUT', `${at}/hello`, { token, body: workloadOf('hello') })
    expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"'])
    const again = await plane.send('PUT', `${at}/hello`, { token, body: workloadOf('hello', { replicas: 3 }) })
    expect([again.status, again.headers.get('etag')]).toEqual([200, '"2"'])
    const patched = await plane.send('PATCH', `${at}/hello`, { token, body: { spec: { replicas: 5 } } })
    expect([patched.status, patched.json]).toMatchObject([200, { spec: { replicas: 5 }, metadata: { generation: 3 } }])
    const read = await plane.send('GET', `${at}/hello`, { token })
    expect(read.json).toEqual(patched.json)
    expect((await plane.send('DELETE', `${at}/hello`, { token })).status).toBe(202)
    expect(await plane.send('GET', `${at}/hello`, { token })).toMatchObject({
      status: 404,
      json: { kind: 'not_found' },
    })
  })

  it('are written over only what was read, if the caller says so', async () => {
    const put = (headers: Record<string, string>, replicas: number) =>
      plane.send('PUT', `${at}/match`, { token, body: workloadOf('match', { replicas }), headers })
    expect(await put({ 'if-match': '"1"' }, 1)).toMatchObject({ status: 404 })
    expect(await put({ 'if-none-match': '*' }, 1)).toMatchObject({ status: 201 })
    expect(await put({ 'if-none-match': '*' }, 2)).toMatchObject({ status: 409, json: { reason: 'already_exists' } })
    expect(await put({ 'if-match': '"1"' }, 2)).toMatchObject({ status: 200 })
    expect(await put({ 'if-match': '"1"' }, 3)).toMatchObject({ status: 409, json: { reason: 'generation_conflict' } })
    expect(await put({ 'if-match': 'W/"1"' }, 3)).toMatchObject({ status: 400, json: { reason: 'bad_request' } })
  })

  it('keep every one of many patches that come at once', async () => {
    await plane.send('PUT', `${at}/busy`, { token, body: workloadOf('busy') })
    const keys = ['a', 'b', 'c', 'd', 'e', 'f']
    const patch = (key: string) => ({ spec: { services: [{ name: 'web', image: 'app:1', env: { [key]: key } }] } })
    const got = await Promise.all(keys.map((key) => plane.send('PATCH', `${at}/busy`, { token, body: patch(key) })))
    expect(got.map(({ status }) => status)).toEqual(keys.map(() => 200))
    expect(got.map(({ json }) => (json.metadata as { generation: number }).generation).sort()).toEqual([
      2, 3, 4, 5, 6, 7,
    ])
  })

  it('refuse a body that is meant for somewhere else', async () => {
    const body = workloadOf('other', {}, { tenant: 'bank' })
    const { status, json } = await plane.send('PUT', `${at}/mine`, { token, body })
    expect([status, json.issues]).toMatchObject([400, [{ path: 'metadata.name' }, { path: 'metadata.tenant' }]])
  })

  it('come in pages, by label', async () => {
    for (const name of ['p1', 'p2', 'p3']) {
      await plane.send('PUT', `${at}/${name}`, { token, body: workloadOf(name, {}, { labels: { page: 'yes' } }) })
    }
    const first = await plane.send('GET', `${at}?labelSelector=page%3Dyes&limit=2`, { token })
    expect(namesOf(first.json)).toEqual(['p1', 'p2'])
    const rest = `&continue=${encodeURIComponent(String(first.json.continue))}`
    const second = await plane.send('GET', `${at}?labelSelector=page%3Dyes&limit=2${rest}`, { token })
    expect([namesOf(second.json), second.json.continue]).toEqual([['p3'], undefined])
  })

  it('say what happened to them, the same thing once and counted', async () => {
    const { client } = await plane.as('shop', 'operator')
    await client.tenant('shop').workloads.put(workloadOf('eventful'))
    for (const replicas of [2, 3]) {
      await plane.send('PATCH', `${at}/eventful`, { token, body: { spec: { replicas } } })
    }
    const { json } = await plane.send('GET', `${at}/eventful/events`, { token })
    expect((json.items as { reason: string }[]).map(({ reason }) => reason)).toEqual(['Changed', 'Changed', 'Created'])
  })

  it('refuse a provider that is not there, or is for others, with the same words', async () => {
    const spec = { type: 'simulated', tenants: ['bank'] }
    const metadata = { name: 'theirs' }
    await plane.client.providers.put({ apiVersion: 'gantry/v1', kind: 'Provider', metadata, spec })
    const put = async (provider: string) => {
      const got = await plane.send('PUT', `${at}/lost`, { token, body: workloadOf('lost', { provider }) })
      return [got.status, got.json.reason, String(got.json.detail).replace(provider, '…')]
    }
    expect(await put('theirs')).toEqual(await put('nowhere'))
    expect((await put('theirs')).slice(0, 2)).toEqual([404, 'provider_not_found'])
  })

  it('keep a tenant that still has something', async () => {
    await plane.client.tenants.put(tenantOf('full'))
    await plane.client.tenant('full').workloads.put(workloadOf('last'))
    await expect(plane.client.tenants.delete('full')).rejects.toMatchObject({ reason: 'tenant_not_empty' })
    const { token: old } = await plane.as('full', 'viewer')
    await plane.client.tenant('full').workloads.delete('last')
    await plane.client.tenants.delete('full')
    expect(await plane.send('GET', '/v1/whoami', { token: old })).toMatchObject({ status: 401 })
  })

  it('are nowhere in a tenant that does not exist', async () => {
    await expect(plane.client.tenant('nobody').workloads.put(workloadOf('x'))).rejects.toMatchObject({
      kind: 'not_found',
    })
    await expect(plane.client.tenant('nobody').workloads.list().toArray()).rejects.toMatchObject({ kind: 'not_found' })
  })
})

function namesOf(page: Readonly<Record<string, unknown>>): string[] {
  return (page.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)
}
