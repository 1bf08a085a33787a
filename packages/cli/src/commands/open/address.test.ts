import type { ObjectOf } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { addressOf } from './address.ts'
import { openerOf } from './browser.ts'

const workloadWith = (protocol: string) =>
  ({
    metadata: { name: 'web', tenant: 'acme' },
    spec: { services: [{ name: 'web', role: 'main', ports: [{ name: 'http', port: 80, protocol }] }] },
  }) as unknown as ObjectOf<'Workload'>

const route = { spec: { workload: 'web', hosts: ['shop.example'], paths: ['/shop'] } } as unknown as ObjectOf<'Route'>
const here = 'http://127.0.0.1:7400'
const edge = 'http://127.0.0.1:7480'

describe('the address of a workload', () => {
  it.each([
    ['of a server on this machine', { edge, server: here, routes: [] }, 'http://web.acme.localhost:7480/'],
    [
      'also if it has a route',
      { edge, server: 'http://localhost:1', routes: [route] },
      'http://web.acme.localhost:7480/',
    ],
    [
      'of another machine by its route',
      { edge: 'http://[::]:80', server: 'https://x.example', routes: [route] },
      'http://shop.example/shop',
    ],
  ])('%s', (_, place, expected) => {
    expect(addressOf({ workload: workloadWith('http'), ...place })).toBe(expected)
  })

  it('of what others wrote is there once it was seen to answer', () => {
    const spec = { services: [], source: { manifests: { text: 'x' } } }
    const workload = { metadata: { name: 'web', tenant: 'acme' }, spec } as unknown as ObjectOf<'Workload'>
    const place = { workload, edge, server: here, routes: [] }
    expect(addressOf({ ...place, seen: { port: 'http', via: 'direct' } })).toBe('http://web.acme.localhost:7480/')
    expect(() => addressOf(place)).toThrow(/a Service with a port called http, or reach it by "gantry port-forward"/)
  })

  it('is not there where only the API of its engine leads to it, and what to do instead is said', () => {
    const place = { workload: workloadWith('http'), edge, server: here, routes: [] }
    expect(addressOf({ ...place, seen: { port: 'http', via: 'direct' } })).toBe('http://web.acme.localhost:7480/')
    expect(() => addressOf({ ...place, seen: { port: 'http', via: 'tunnel' } })).toThrow(
      '"web" can be reached only through the API of its engine, so it has no address; "gantry port-forward web :http" reaches it',
    )
  })

  it.each([
    ['it has no http port', 'tcp', { edge, server: here, routes: [] }],
    ['the server has no edge', 'http', { edge: undefined, server: here, routes: [] }],
    ['it is elsewhere and has no host', 'http', { edge, server: 'https://x.example', routes: [] }],
  ])('is not there if %s, and what to do instead is said', (_, protocol, place) => {
    expect(() => addressOf({ workload: workloadWith(protocol), ...place })).toThrow(/port-forward/)
  })
})

describe('a browser', () => {
  it.each([
    ['linux', {}, undefined],
    ['linux', { DISPLAY: ':0' }, 'xdg-open'],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
    ['darwin', {}, 'open'],
  ] as const)('on %s with %j is opened by %s', (platform, env, expected) => {
    expect(openerOf(platform, env)).toBe(expected)
  })
})
