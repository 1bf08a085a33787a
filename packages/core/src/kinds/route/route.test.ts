import { describe, expect, it } from 'vitest'
import { ownHost } from './own-host.ts'
import { routeKind } from './route.ts'

const route = (spec: object) => ({ apiVersion: 'gantry/v1', kind: 'Route', metadata: { name: 'shop' }, spec })
const valid = { workload: 'shop', hosts: ['shop.example.com'] }

describe('a route', () => {
  it('is for every path of its hosts unless some are named', () => {
    expect(routeKind.parse(route(valid)).spec).toEqual({ ...valid, paths: ['/'] })
  })

  it.each(['/api', '/api/', '/a/b.c', '/%41/~x', '/a:b@c'])('may be for paths that begin with %s', (path) => {
    expect(routeKind.check(route({ ...valid, paths: [path] }))).toEqual([])
  })

  it.each<[string, object, string, RegExp]>([
    ['no hosts', { workload: 'shop' }, 'spec.hosts', /is required/],
    ['an empty list of hosts', { ...valid, hosts: [] }, 'spec.hosts', /at least 1/],
    ['a port in a host', { ...valid, hosts: ['a.example:80'] }, 'spec.hosts[0]', /without scheme, port/],
    ['a wildcard', { ...valid, hosts: ['*.example.com'] }, 'spec.hosts[0]', /wildcard/],
    ['upper case', { ...valid, hosts: ['Shop.example.com'] }, 'spec.hosts[0]', /lower case/],
    ['a host with two dots', { ...valid, hosts: ['a..b'] }, 'spec.hosts[0]', /host name/],
    ['somebody’s own name', { ...valid, hosts: ['web.other.localhost'] }, 'spec.hosts[0]', /reserved/],
    ['the end of all own names', { ...valid, hosts: ['localhost'] }, 'spec.hosts[0]', /reserved/],
    ['a host twice', { ...valid, hosts: ['a.b', 'a.b'] }, 'spec.hosts[1]', /twice: a.b/],
    ['a path without its slash', { ...valid, paths: ['api'] }, 'spec.paths[0]', /begin with \//],
    ['a path that goes up', { ...valid, paths: ['/a/../b'] }, 'spec.paths[0]', /parts/],
    ['an empty part', { ...valid, paths: ['/a//b'] }, 'spec.paths[0]', /empty/],
    ['a query', { ...valid, paths: ['/a?b'] }, 'spec.paths[0]', /begin with/],
    ['a path twice', { ...valid, paths: ['/', '/'] }, 'spec.paths[1]', /twice/],
    ['a certificate', { ...valid, tls: {} }, 'spec.tls', /later version/],
  ])('is refused with the path: %s', (_, spec, path, message) => {
    expect(routeKind.check(route(spec))).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  it('is not needed for the name that a workload has by itself', () => {
    expect(ownHost('hello', 'default')).toBe('hello.default.localhost')
  })
})
