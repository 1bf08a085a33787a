import type { KindName } from '@gantry/core'
import { afterEach, describe, expect, it } from 'vitest'
import { allEndpoints, endpoints } from '../endpoints/table.ts'
import { input, sample, sampleToken } from '../testing/samples.ts'
import { type Answering, startTestServer, type TestServer } from '../testing/test-server.ts'
import type { Client } from './client.ts'
import { createClient } from './create-client.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

async function connect(answers: Record<string, Answering>): Promise<Client> {
  server = await startTestServer(answers)
  return createClient({ server: `${server.address}/`, token: 'secret-token' })
}

const object =
  (kind: KindName): Answering =>
  () => ({ value: sample(kind) })
const page =
  (kind: KindName): Answering =>
  () => ({
    value: { items: [sample(kind)], resourceVersion: 7 },
  })
const bookmark: Answering = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('id: 7\nevent: bookmark\ndata: {"type":"bookmark","resourceVersion":7}\n\n')
  return 'by hand'
}
const either =
  (kind: KindName): Answering =>
  (received, response) =>
    received.query.watch === 'true' ? bookmark(received, response) : page(kind)(received, response)
const event = {
  type: 'normal',
  reason: 'Created',
  message: 'made',
  by: 'token:ci',
  count: 1,
  firstAt: 'a',
  lastAt: 'b',
}
const entry = { sequence: 1, at: 'a', actor: 'b', action: 'c', outcome: 'done', effects: [], hash: 'd' }
const line = { ts: 'a', service: 'web', slot: 'a', replica: 0, stream: 'stdout', line: 'hello' }
const plan = { steps: [], hash: 'a'.repeat(64) }
const applied = { results: [{ did: 'created', object: sample('Workload'), reverts: [] }], resourceVersion: 7 }

const ofKind = (kind: 'Workload' | 'Route' | 'Secret' | 'Tenant' | 'Provider'): Record<string, Answering> => {
  const word = kind.toLowerCase()
  return {
    [`${word}.list`]: either(kind),
    [`${word}.listAll`]: either(kind),
    [`${word}.read`]: object(kind),
    [`${word}.put`]: ({ headers }) => ({ status: headers['if-none-match'] ? 201 : 200, value: sample(kind) }),
    [`${word}.patch`]: object(kind),
    [`${word}.delete`]: object(kind),
    [`${word}.events`]: () => ({ value: { items: [event] } }),
  }
}

const lookingAt = (kind: 'Release' | 'Rollout' | 'Instance'): Record<string, Answering> => {
  const word = kind.toLowerCase()
  return {
    [`${word}.list`]: either(kind),
    [`${word}.listAll`]: either(kind),
    [`${word}.read`]: object(kind),
    [`${word}.events`]: () => ({ value: { items: [event] } }),
  }
}

const offered = { name: 'here', type: 'local', ready: 'True', default: true, location: {} } as const

const acted: Record<string, Answering> = {
  ...Object.fromEntries(
    ['deploy', 'rollback', 'scale', 'start', 'stop', 'restart'].map((verb) => [`workload.${verb}`, object('Workload')]),
  ),
  ...Object.fromEntries(['pause', 'resume', 'promote', 'abort'].map((verb) => [`rollout.${verb}`, object('Rollout')])),
  'workload.releases': page('Release'),
  'workload.rollouts': page('Rollout'),
  'workload.replicas': () => ({ value: { items: [], blind: {} } }),
}

const everything: Record<string, Answering> = {
  ...acted,
  ...lookingAt('Release'),
  ...lookingAt('Rollout'),
  ...lookingAt('Instance'),
  ...ofKind('Workload'),
  ...ofKind('Route'),
  ...ofKind('Secret'),
  ...ofKind('Tenant'),
  ...ofKind('Provider'),
  'secret.putData': object('Secret'),
  'secret.patchData': object('Secret'),
  'token.list': () => ({ value: { items: [sampleToken] } }),
  'token.create': () => ({ value: { ...sampleToken, token: 'gantry_x' } }),
  'token.revoke': () => ({ value: sampleToken }),
  'systemToken.list': () => ({ value: { items: [] } }),
  'systemToken.create': () => ({ value: { ...sampleToken, role: 'system', token: 'gantry_x' } }),
  'systemToken.revoke': () => ({ value: sampleToken }),
  'audit.list': () => ({ value: { items: [entry] } }),
  'audit.listAll': () => ({ value: { items: [entry] } }),
  'audit.verify': () => ({ value: { intact: true, entries: 1, head: 'd' } }),
  'workload.logs': () => ({ value: line }),
  'workload.usage': () => ({ value: { everySeconds: 30, samples: [] } }),
  'objects.apply': () => ({ value: applied }),
  'objects.plan': () => ({ value: plan }),
  'region.list': () => ({
    value: { items: [{ provider: 'east', type: 'local', location: {}, health: { ready: 'True' } }] },
  }),
  'identity.whoami': () => ({ value: { name: 'token:ci', grants: [{ role: 'admin', tenant: 'shop' }] } }),
  'server.version': () => ({ value: { version: '0.1.0', apiVersions: ['gantry/v1'] } }),
  'server.health': () => ({ value: { status: 'ok' } }),
  'server.ready': () => ({ status: 503, value: { ready: false, parts: [{ name: 'store', ready: false }] } }),
  'server.metrics': () => ({ value: 'up 1\n' }),
  'server.backup': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/gzip' })
    response.end(Buffer.from([1, 2, 255]))
    return 'by hand'
  },
  'tenant.activity': () => ({ value: { items: [] } }),
  'tenant.quota': () => ({ value: { tenant: 'shop', limits: { cpu: '4' }, used: { workloads: 1 } } }),
  'tenant.providers': () => ({ value: { items: [offered] } }),
  'server.openapi': () => ({ value: { openapi: '3.1.0' } }),
}

describe('the client', () => {
  it('calls every endpoint there is, as each is described', async () => {
    const client = await connect(everything)
    const shop = client.tenant('shop')
    for (const kind of [shop.workloads, shop.routes, shop.secrets, client.tenants, client.providers] as const) {
      expect((await kind.get('web')).metadata.name).toBe('web')
      expect((await kind.patch('web', { metadata: { labels: { team: null } } }, { ifGeneration: 1 })).kind).toBeTruthy()
      expect((await kind.delete('web', { ifGeneration: 1 })).metadata.uid).toBe('uid-web')
      expect(await kind.events('web').toArray()).toEqual([event])
    }
    for (const kind of [shop.releases, shop.rollouts, shop.instances]) {
      expect((await kind.get('web')).metadata.name).toBe('web')
      expect(await kind.events('web').toArray()).toEqual([event])
      expect(kind).not.toHaveProperty('put')
    }
    for (const kind of [
      shop.workloads,
      shop.routes,
      client.routes,
      shop.releases,
      shop.rollouts,
      shop.instances,
      client.releases,
      client.rollouts,
      client.instances,
      shop.secrets,
      client.tenants,
      client.providers,
      client.workloads,
      client.secrets,
    ]) {
      expect(await kind.list({ labelSelector: 'team=web', limit: 10 }).toArray()).toHaveLength(1)
      for await (const change of kind.watch({ since: 3 })) {
        expect(change).toEqual({ type: 'bookmark', resourceVersion: 7 })
        break
      }
    }
    await shop.workloads.put(input('Workload'))
    const { workloads } = shop
    for (const act of [workloads.deploy, workloads.rollback, workloads.start, workloads.stop, workloads.restart]) {
      expect((await act('web')).kind).toBe('Workload')
    }
    expect((await workloads.scale('web', { replicas: 3 }, { ifGeneration: 1 })).kind).toBe('Workload')
    const { pause, resume, promote, abort } = workloads.rollout
    for (const say of [pause, resume, promote, abort]) expect((await say('web')).kind).toBe('Rollout')
    expect(await workloads.releases('web').toArray()).toHaveLength(1)
    expect(await workloads.rollouts('web').toArray()).toHaveLength(1)
    expect((await workloads.replicas('web')).items).toEqual([])
    await shop.routes.put(input('Route'))
    await shop.secrets.put(input('Secret'), { ifAbsent: true })
    await client.tenants.put(input('Tenant'), { ifGeneration: 3 })
    await client.providers.put(input('Provider'))
    await shop.secrets.putData('web', { text: { url: 'x' } })
    await shop.secrets.patchData('web', { text: { url: 'x', old: null } })
    for (const tokens of [shop.tokens, client.tokens]) {
      await tokens.list().toArray()
      await tokens.revoke('ci')
    }
    expect((await shop.tokens.create({ name: 'ci', role: 'operator' })).token).toBe('gantry_x')
    expect((await client.tokens.create({ name: 'root' })).role).toBe('system')
    expect(await shop.audit({ order: 'oldest' }).toArray()).toEqual([entry])
    expect(await client.audit.list().toArray()).toEqual([entry])
    expect(await client.audit.verify()).toMatchObject({ intact: true })
    expect((await shop.apply([input('Workload')], { plan: plan.hash })).results[0]?.did).toBe('created')
    expect((await client.apply({ objects: [input('Workload')] })).resourceVersion).toBe(7)
    expect(await shop.plan([input('Workload')])).toEqual(plan)
    expect(await client.plan({ objects: [] })).toEqual(plan)
    for await (const log of shop.workloads.logs('web', { tail: 1, since: new Date(0) })) expect(log).toEqual(line)
    expect(await shop.workloads.usage('web', { minutes: 5 })).toEqual({ everySeconds: 30, samples: [] })
    expect((await client.whoami()).name).toBe('token:ci')
    expect((await client.regions()).map(({ provider }) => provider)).toEqual(['east'])
    expect((await client.version()).version).toBe('0.1.0')
    expect(await client.health()).toEqual({ status: 'ok' })
    expect((await client.ready()).ready).toBe(false)
    expect(await client.metrics()).toBe('up 1\n')
    for await (const bytes of client.backup()) expect([...bytes]).toEqual([1, 2, 255])
    expect(await client.call(endpoints.server.backup, { params: {} })).toEqual(new Uint8Array([1, 2, 255]))
    expect((await shop.quota()).used.workloads).toBe(1)
    expect(await shop.activity({ limit: 5 })).toEqual([])
    expect(await shop.providers()).toEqual([offered])
    await client.call(endpoints.server.openapi, { params: {} })
    const asked = new Set(server?.received.map(({ endpoint }) => endpoint.operation))
    // Those that become a WebSocket are tested on a server that has some.
    const plain = allEndpoints.filter(({ upgrade }) => !upgrade).map(({ operation }) => operation)
    expect(plain.filter((operation) => !asked.has(operation))).toEqual([])
    expect(server?.received.every(({ headers }) => headers.authorization === 'Bearer secret-token')).toBe(true)
  })

  it('says what it depends on', async () => {
    const client = await connect(everything)
    await client.tenant('shop').workloads.put(input('Workload'), { ifGeneration: 4 })
    await client.tenant('shop').workloads.put(input('Workload'), { ifAbsent: true })
    await client.tenant('shop').workloads.put(input('Workload'))
    const said = server?.received.map(({ headers }) => [headers['if-match'], headers['if-none-match']])
    expect(said).toEqual([
      ['"4"', undefined],
      [undefined, '*'],
      [undefined, undefined],
    ])
  })

  it('puts the tenant beside objects that name none', async () => {
    const client = await connect(everything)
    await client.tenant('shop').apply([input('Workload')], { prune: { labelSelector: 'app=shop' } })
    expect(server?.received[0]?.body).toEqual({
      objects: [input('Workload')],
      tenant: 'shop',
      prune: { labelSelector: 'app=shop' },
    })
  })

  it('reads a list to its end, and no further than it is asked to', async () => {
    const client = await connect({
      'workload.list': ({ query }) => {
        const at = Number(query.continue ?? '0')
        const items = [sample('Workload', `a${at}`), sample('Workload', `b${at}`)]
        return { value: { items, resourceVersion: 7, ...(at < 2 && { continue: String(at + 1) }) } }
      },
    })
    const { workloads } = client.tenant('shop')
    const names: string[] = []
    for await (const { metadata } of workloads.list({ limit: 2 })) names.push(metadata.name)
    expect(names).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2'])
    expect(server?.received.map(({ query }) => query)).toEqual([
      { limit: '2' },
      { limit: '2', continue: '1' },
      { limit: '2', continue: '2' },
    ])
    for await (const first of workloads.list()) {
      expect(first.metadata.name).toBe('a0')
      break
    }
    expect(server?.received).toHaveLength(4)
    for await (const { resourceVersion } of workloads.list().pages()) expect(resourceVersion).toBe(7)
  })

  it('asks for a token anew for each request, if it was told how', async () => {
    server = await startTestServer(everything)
    let count = 0
    const client = createClient({ server: server.address, token: () => `token-${count++}` })
    await client.whoami()
    await client.whoami()
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-0', 'Bearer token-1'])
    await createClient({ server: server.address }).health()
    expect(server.received[2]?.headers.authorization).toBeUndefined()
  })

  it('speaks to any fetch, such as that of a server in the same process', async () => {
    const seen: string[] = []
    const client = createClient({
      server: 'http://gantry.internal/base/',
      fetch: async (url) => {
        seen.push(url)
        return new Response('{"status":"ok"}', { headers: { 'content-type': 'application/json' } })
      },
    })
    await client.health()
    expect(seen).toEqual(['http://gantry.internal/base/healthz'])
  })

  it.each(['../tenants', '', 'a/b', 'A', '%2e%2e'])('sends nothing for the name %j', async (name) => {
    const client = await connect(everything)
    await expect(client.tenant('shop').workloads.get(name)).rejects.toMatchObject({ reason: 'bad_name' })
    await expect(client.tenant(name).workloads.get('web')).rejects.toMatchObject({ reason: 'bad_name' })
    expect(server?.received).toEqual([])
  })

  it.each(['gantry', 'ftp://x', 'http://user:pass@host', 'http://host?x=1', ''])(
    'does not take %j for a server',
    (url) => {
      expect(() => createClient({ server: url })).toThrow(expect.objectContaining({ kind: 'invalid' }))
    },
  )
})
