import { describe, expect, it } from 'vitest'
import { checkSpec } from '../../../testing/check-workload.ts'

const port = (name: string, number: number, more: object = {}) => ({ name, port: number, ...more })
const web = (...ports: object[]) => ({ name: 'web', ports })
const log = (...ports: object[]) => ({ name: 'log', role: 'sidecar', ports })

describe('ports', () => {
  it.each<[string, object[], string[]]>([
    ['different ones', [web(port('http', 80), port('admin', 81)), log(port('http', 82))], []],
    ['a name twice in a service', [web(port('http', 80), port('http', 81))], ['services[0].ports[1].name']],
    ['a number twice in a service', [web(port('a', 80), port('b', 80))], ['services[0].ports[1].port']],
    ['a number twice in a replica', [web(port('a', 80)), log(port('b', 80))], ['services[1].ports[0].port']],
    [
      'http and tcp on one number',
      [web(port('a', 80), port('b', 80, { protocol: 'tcp' }))],
      ['services[0].ports[1].port'],
    ],
    ['tcp and udp on one number', [web(port('a', 53, { protocol: 'tcp' }), port('b', 53, { protocol: 'udp' }))], []],
    [
      'a number that an init service had',
      [web(port('a', 80)), { name: 'i', role: 'init', ports: [port('a', 80)] }],
      [],
    ],
  ])('%s', (_, services, paths) => {
    expect(checkSpec({ services }).map(([path]) => path)).toEqual(paths)
  })
})

describe('ports of the machine', () => {
  const fixed = (hostPort: number, more: object = {}) => port(`p${hostPort}`, hostPort, { hostPort, ...more })
  const at = 'services[0].ports[0].hostPort'

  it.each<[string, object, string[]]>([
    ['held by one replica', {}, []],
    ['wanted by two replicas', { replicas: 2 }, [at]],
    ['with a strategy that takes one away first', { strategy: { type: 'rolling', maxSurge: 0 } }, []],
    ['with recreate', { strategy: { type: 'recreate' } }, []],
    ['with a surge', { strategy: { type: 'rolling', maxSurge: 1 } }, [at]],
    ['with blue_green', { strategy: { type: 'blue_green' } }, [at]],
    ['with canary', { strategy: { type: 'canary' } }, [at]],
    ['of nobody', { replicas: 0 }, []],
  ])('%s', (_, spec, paths) => {
    expect(checkSpec({ services: [web(fixed(8080))], ...spec }).map(([path]) => path)).toEqual(paths)
  })

  it.each<[string, object[], boolean]>([
    ['on one address', [port('a', 1, { hostPort: 80 }), port('b', 2, { hostPort: 80 })], true],
    ['on two addresses', [port('a', 1, { hostPort: 80 }), port('b', 2, { hostPort: 80, bind: '127.0.0.2' })], false],
    ['on one and on all', [port('a', 1, { hostPort: 80 }), port('b', 2, { hostPort: 80, bind: '0.0.0.0' })], true],
    ['as tcp and udp', [port('a', 1, { hostPort: 53 }), port('b', 2, { hostPort: 53, protocol: 'udp' })], false],
    ['where none is asked for', [port('a', 1, { hostPort: 0 }), port('b', 2, { hostPort: 0 })], false],
  ])('the same one %s collides: see the third', (_, ports, collides) => {
    expect(checkSpec({ services: [web(...ports)] }).map(([path]) => path)).toEqual(
      collides ? ['services[0].ports[1].hostPort'] : [],
    )
  })

  it('are refused with what to do instead', () => {
    const [, message] = checkSpec({ replicas: 3, services: [web(fixed(8080))] })[0] ?? []
    expect(message).toBe(
      '8080 on 127.0.0.1 can be held by one replica at a time: 3 replicas would collide; use one replica, or hostPort 0',
    )
  })
})
