import type { EndpointStatus, ObjectOf, RouteSpec, WorkloadInput } from '@gantry/core'
import { routeKind, workloadKind } from '@gantry/core'
import { readTable } from '@gantry/edge'
import { describe, expect, it } from 'vitest'
import { compileTable } from './compile-table.ts'
import type { RoutedInstance, RoutedReplica, Wishes } from './wishes.ts'

const metadata = (name: string, tenant: string, createdAt = '2026-01-01T00:00:00Z') => ({
  name,
  tenant,
  uid: `uid-${tenant}-${name}`,
  generation: 1,
  resourceVersion: 1,
  ownerRefs: [],
  finalizers: [],
  labels: {},
  annotations: {},
  createdAt,
})

const http = [{ name: 'http', port: 8080 }]

function workload(name: string, spec: Partial<WorkloadInput> = {}, tenant = 'shop'): ObjectOf<'Workload'> {
  const services = spec.services ?? [{ name: 'web', image: 'app:1', ports: http }]
  const written = { apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name }, spec: { ...spec, services } }
  const object = { ...workloadKind.parse(written), metadata: metadata(name, tenant), status: {} }
  return object as unknown as ObjectOf<'Workload'>
}

function route(name: string, spec: Partial<RouteSpec>, tenant = 'shop', createdAt?: string): ObjectOf<'Route'> {
  const written = { apiVersion: 'gantry/v1', kind: 'Route', metadata: { name }, spec: { workload: 'web', ...spec } }
  const object = { ...routeKind.parse(written), metadata: metadata(name, tenant, createdAt), status: {} }
  return object as unknown as ObjectOf<'Route'>
}

const rollout = (number: number, weights?: { a: number; b: number }): ObjectOf<'Rollout'> =>
  ({
    kind: 'Rollout',
    metadata: {
      ...metadata(`web-r${number}`, 'shop'),
      ownerRefs: [{ kind: 'Workload', name: 'web', uid: 'uid-shop-web' }],
    },
    spec: { workload: 'web', number },
    status: weights ? { weights } : {},
  }) as unknown as ObjectOf<'Rollout'>

function replica(engineId: string, more: Partial<RoutedReplica> = {}, port = 'http'): RoutedReplica {
  const dial = { host: '127.0.0.1', port: 1000 + engineId.charCodeAt(1) }
  const endpoint = {
    service: 'web',
    port,
    protocol: 'http',
    stable: false,
    public: false,
    via: 'direct',
    dial,
  } as const
  return { engineId, ready: true, terminating: false, endpoints: [endpoint], ...more }
}

const instance = (slot: 'a' | 'b', replicas: readonly RoutedReplica[], uid = 'uid-shop-web'): RoutedInstance => ({
  tenant: 'shop',
  uid,
  slot,
  replicas,
  endpoints: [],
})

function compiled(wishes: Partial<Wishes>) {
  const nothing = { workloads: [], rollouts: [], instances: [], routes: [], trusted: [] }
  const result = compileTable({ ...nothing, leaving: new Set(), inRotation: new Set(), ...wishes })
  expect(readTable({ ...result.table, number: 1 })).toHaveProperty('table')
  return result
}

const servingAt = (wishes: Partial<Wishes>, host = 'web.shop.localhost') =>
  compiled(wishes)
    .table.routes.find((each) => each.host === host)
    ?.slots.map(({ slot, weight, backends }) => `${slot} ${weight} ${backends.join(',')}`)

describe('a table', () => {
  it('has every workload with an http port at its own name, and no others', () => {
    const tcp = [{ name: 'web', image: 'a:1', ports: [{ name: 'db', port: 1, protocol: 'tcp' as const }] }]
    const { table } = compiled({
      workloads: [workload('web'), workload('db', { services: tcp }), workload('web', {}, 'two')],
    })
    expect(table.routes.map(({ host, path }) => host + path)).toEqual(['web.shop.localhost/', 'web.two.localhost/'])
  })

  it('has the ready replicas of both slots with the weights of the newest rollout that has any', () => {
    const instances = [instance('a', [replica('r1'), replica('r2')]), instance('b', [replica('r3')])]
    const workloads = [workload('web')]
    const rollouts = [rollout(2, { a: 100, b: 0 }), rollout(4), rollout(3, { a: 90, b: 10 })]
    expect(servingAt({ workloads, instances, rollouts })).toEqual(['a 90 r1/web/http,r2/web/http', 'b 10 r3/web/http'])
    expect(servingAt({ workloads, instances })).toEqual(['a 100 r1/web/http,r2/web/http', 'b 0 r3/web/http'])
  })

  it.each<[string, Partial<RoutedReplica>, boolean, boolean]>([
    ['is ready', { ready: true }, false, true],
    ['is not ready', { ready: false }, true, false],
    ['cannot be told and was in', { ready: undefined }, true, true],
    ['cannot be told and was not in', { ready: undefined }, false, false],
    ['is on its way out', { terminating: true }, true, false],
  ])('sends requests to a replica that %s: %j, in before: %s → %s', (_, more, wasIn, isIn) => {
    const inRotation = new Set(wasIn ? ['r1/web/http'] : [])
    const wishes = { workloads: [workload('web')], instances: [instance('a', [replica('r1', more)])], inRotation }
    expect(servingAt(wishes)?.[0]).toBe(isIn ? 'a 100 r1/web/http' : 'a 100 ')
    const told = compiled(wishes).table.backends.map(({ id, leaving }) => `${id} ${leaving}`)
    expect(told).toEqual(isIn ? ['r1/web/http false'] : wasIn ? ['r1/web/http true'] : [])
  })

  it('tells of a replica that leaves without sending it anything', () => {
    const instances = [instance('a', [replica('r1'), replica('r2')])]
    const wishes = { workloads: [workload('web')], instances, leaving: new Set(['r1']) }
    expect(servingAt(wishes)?.[0]).toBe('a 100 r2/web/http')
    expect(compiled(wishes).table.backends.find(({ id }) => id === 'r1/web/http')?.leaving).toBe(true)
  })

  describe('of a workload that is made of what others wrote', () => {
    const written = workload('web', { services: [], source: { manifests: { text: 'kind: List' } } })
    const at = (service: string, port: string, more: object = {}) =>
      ({ ...replica('x0', {}, port).endpoints[0], service, stable: true, ...more }) as EndpointStatus
    const seen = (...endpoints: EndpointStatus[]): RoutedInstance => ({
      ...instance('a', [replica('r1', { endpoints: [] })]),
      endpoints,
    })
    const named = [route('mine', { hosts: ['a.example'], port: 'admin' })]

    it.each<[string, EndpointStatus[], string | undefined, string | undefined]>([
      ['nothing is seen yet', [], undefined, undefined],
      [
        'one can be reached through the API alone',
        [at('service/web', 'http', { via: 'tunnel' })],
        undefined,
        undefined,
      ],
      ['one speaks something else', [at('service/db', 'sql', { protocol: 'tcp' })], undefined, undefined],
      ['the first', [at('service/web', 'http'), at('service/web', 'admin')], 'service/web/http', 'service/web/admin'],
      ['another by name', [at('service/x', 'admin')], 'service/x/admin', 'service/x/admin'],
    ])('goes to what is seen: %s', (_, endpoints, first, admin) => {
      const wishes = { workloads: [written], instances: [seen(...endpoints)], routes: named }
      const hit = (host: string) => /a 100 (?:uid-shop-web-a\/(.*)@.*)?$/.exec(servingAt(wishes, host)?.[0] ?? '')?.[1]
      expect(hit('web.shop.localhost')).toBe(first)
      expect(hit('a.example')).toBe(admin)
    })
  })

  it('goes to the stable address of an engine that replaces replicas by itself, while any of them may answer', () => {
    const stable = { ...replica('x0').endpoints[0], stable: true, dial: { host: '10.0.0.1', port: 80 } }
    const of = (more: Partial<RoutedReplica>) => [
      { ...instance('a', [replica('r1', more)]), endpoints: [stable as RoutedInstance['endpoints'][number]] },
    ]
    const workloads = [workload('web')]
    const id = 'uid-shop-web-a/web/http@10.0.0.1:80'
    expect(servingAt({ workloads, instances: of({}) })?.[0]).toBe(`a 100 ${id}`)
    expect(servingAt({ workloads, instances: of({ ready: undefined }) })?.[0]).toBe(`a 100 ${id}`)
    expect(servingAt({ workloads, instances: of({ ready: false }) })?.[0]).toBe('a 100 ')
    const [first] = of({})
    const aged = [{ ...first, endpoints: [{ ...stable, maxConnectionAgeMs: 4000 }] }] as RoutedInstance[]
    expect(compiled({ workloads, instances: aged }).table.backends).toMatchObject([{ id, maxConnectionAgeMs: 4000 }])
  })

  it.each<[string, Partial<WorkloadInput>, string]>([
    ['stopped', { run: 'stopped' }, 'It is stopped.'],
    ['scaled to nothing', { replicas: 0 }, 'It is scaled to no replicas.'],
    ['not ready', {}, 'No replica is ready.'],
  ])('says why nobody answers: %s', (_, spec, why) => {
    expect(compiled({ workloads: [workload('web', spec)] }).table.routes[0]?.why).toBe(why)
  })

  it('says what to do where nobody can be dialled from here', () => {
    const far = replica('r1').endpoints.map((endpoint) => ({ ...endpoint, via: 'tunnel' as const }))
    const why = (spec: Partial<WorkloadInput>, of: RoutedInstance) =>
      compiled({ workloads: [workload('web', spec)], instances: [of] }).table.routes[0]?.why
    const told =
      'It is reached only through the API of its engine, which the edge cannot do; run "gantry port-forward web :http".'
    expect(why({}, instance('a', [replica('r1', { endpoints: far })]))).toBe(told)
    expect(why({}, instance('a', [replica('r1', { endpoints: far, ready: false })]))).toBe('No replica is ready.')
    const written = { services: [], source: { manifests: { text: 'kind: List' } } }
    const endpoints = far.map((endpoint) => ({ ...endpoint, service: 'service/web', stable: true }))
    const seen = { ...instance('a', [replica('r1', { endpoints: [] })]), endpoints }
    expect(why(written, seen)).toBe(told)
    const near = { ...endpoints[0], service: 'service/near', via: 'direct' } as EndpointStatus
    expect(why(written, { ...seen, endpoints: [...endpoints, near] })).toBeUndefined()
  })
})

describe('a route', () => {
  const workloads = [workload('web'), workload('web', {}, 'two')]
  const instances = [instance('a', [replica('r1')])]
  const verdictsOf = (routes: ObjectOf<'Route'>[]) =>
    compiled({ workloads, instances, routes }).verdicts.map(({ ready, reason }) => `${ready} ${reason}`)

  it('leads to its workload at all its hosts and paths', () => {
    const routes = [route('www', { hosts: ['a.example', 'b.example'], paths: ['/', '/api'] })]
    const { table } = compiled({ workloads, instances, routes })
    const own = table.routes.filter(({ host }) => host.endsWith('.example'))
    expect(own.map(({ host, path }) => host + path)).toEqual([
      'a.example/',
      'a.example/api',
      'b.example/',
      'b.example/api',
    ])
    expect(own.every(({ slots }) => slots[0]?.backends[0] === 'r1/web/http')).toBe(true)
    expect(verdictsOf(routes)).toEqual(['true routed'])
  })

  it('whose host another tenant named first is not in force, whichever is looked at first', () => {
    const first = route('www', { hosts: ['a.example'] }, 'shop', '2026-01-01T00:00:00Z')
    const later = route('www', { hosts: ['a.example'], paths: ['/other'] }, 'two', '2026-01-02T00:00:00Z')
    expect(verdictsOf([first, later])).toEqual(['true routed', 'false host_taken'])
    expect(verdictsOf([later, first])).toEqual(['false host_taken', 'true routed'])
  })

  it('shares a host with others of its tenant by path, and the older has a place that both ask for', () => {
    const first = route('one', { hosts: ['a.example'] }, 'shop', '2026-01-01T00:00:00Z')
    const other = route('two', { hosts: ['a.example'], paths: ['/api'] }, 'shop', '2026-01-02T00:00:00Z')
    const same = route('three', { hosts: ['a.example'] }, 'shop', '2026-01-03T00:00:00Z')
    expect(verdictsOf([first, other, same])).toEqual(['true routed', 'true routed', 'false place_taken'])
  })

  it.each<[string, Partial<RouteSpec>, string]>([
    ['to a workload that is not there', { workload: 'ghost' }, 'false no_workload'],
    ['to a port that is not there', { port: 'admin' }, 'false nobody_answers'],
  ])('%s says so', (_, spec, said) => {
    expect(verdictsOf([route('www', { hosts: ['a.example'], ...spec })])).toEqual([said])
  })
})
