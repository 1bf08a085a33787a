import type { WorkloadSpec } from '@gantry/core'
import type { Endpoint, Replica } from '@gantry/providers'
import { describe, expect, it } from 'vitest'
import { forwardedEndpoint } from './forwarded-endpoint.ts'

const at = (service: string, port: string, host: string, number: number, more: Partial<Endpoint> = {}): Endpoint => ({
  service,
  port,
  protocol: 'http',
  stable: false,
  public: false,
  via: 'direct',
  dial: { host, port: number },
  ...more,
})

const replica = { index: 2 } as Replica
const services = [{ name: 'web', ports: [{ name: 'http', port: 8080 }] }] as unknown as WorkloadSpec['services']
const own = at('web', 'http', '10.1.0.7', 8080)
const whole = at('web', 'http', '10.96.0.1', 8080, { stable: true })
const [web, admin] = [at('service/web', 'http', '10.96.0.2', 80), at('service/web', 'admin', '10.96.0.2', 9000)]
const db = at('service/db', '5432', '10.96.0.3', 5432, { protocol: 'tcp' })
const source = { manifests: { text: 'x' } }

describe('a port that is to be forwarded', () => {
  it.each<[string, readonly Endpoint[], object, object, Endpoint]>([
    ['by name, of the replica', [own, whole], { port: 'http' }, {}, own],
    ['by the number in the spec', [own, whole], { port: 8080 }, {}, own],
    ['of the instance, where the replica has none', [whole], { port: 'http' }, {}, whole],
    ['of what others wrote, by name', [db, web, admin], { port: 'admin' }, { source }, admin],
    ['of what others wrote, by number', [db, web, admin], { port: 5432 }, { source }, db],
    ['of one of its Services', [db, web], { port: 80, service: 'service/web' }, { source }, web],
  ])('is found: %s', (_, endpoints, start, spec, expected) => {
    const wanted = { port: 'http', ...start }
    expect(forwardedEndpoint({ endpoints, replica, service: 'web' }, wanted, { services, ...spec })).toBe(expected)
  })

  it.each<[string, readonly Endpoint[], object, object, RegExp]>([
    ['not there', [own], { port: 'admin' }, {}, /web of replica 2 has no port admin; there are http$/],
    ['not there at all', [], { port: 'http' }, {}, /it has none/],
    ['of another protocol', [{ ...own, protocol: 'udp' }], { port: 'http' }, {}, /udp, which is not forwarded/],
    ['not among those', [web, db], { port: 'x' }, { source }, /there are http of service\/web, 5432 of service\/db$/],
    [
      'of another Service',
      [web, db],
      { port: 80, service: 'service/db' },
      { source },
      /service\/db of replica 2 has no/,
    ],
  ])('is refused: %s', (_, endpoints, start, spec, message) => {
    const wanted = { port: 'http', ...start }
    const find = () => forwardedEndpoint({ endpoints, replica, service: 'web' }, wanted, { services, ...spec })
    expect(find).toThrow(message)
  })
})
