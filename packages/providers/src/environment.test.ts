import { workloadKind } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { desiredFor } from './contract/desired-for.ts'
import { environmentOf } from './environment.ts'

const ref = { tenant: 't', workload: 'w', uid: 'u', slot: 'a' } as const

const { services } = desiredFor(
  'here',
  ref,
  workloadKind.parse({
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: { name: 'web' },
    spec: {
      services: [
        {
          name: 'web',
          image: 'app:1',
          env: { GREETING: 'hello' },
          ports: [
            { name: 'http', port: 8080 },
            { name: 'my-admin', port: 9090, protocol: 'tcp' },
          ],
        },
        { name: 'side-car', role: 'sidecar', image: 'app:1', ports: [{ name: 'grpc', port: 7000, protocol: 'tcp' }] },
      ],
    },
  }).spec,
)

const [web, sidecar] = services

describe('the environment of a service', () => {
  it('tells its own ports, the first as PORT, and those of its siblings', () => {
    expect(web && environmentOf(web, services)).toEqual({
      GREETING: 'hello',
      PORT: '8080',
      PORT_HTTP: '8080',
      PORT_MY_ADMIN: '9090',
      GANTRY_PORT_WEB_HTTP: '8080',
      GANTRY_PORT_WEB_MY_ADMIN: '9090',
      GANTRY_PORT_SIDE_CAR_GRPC: '7000',
    })
  })

  it('tells the numbers that the engine has given out, where that is not the number in the spec', () => {
    const given = (service: string, port: { readonly name: string }): number =>
      service === 'web' && port.name === 'http' ? 40_001 : 40_002
    const env = sidecar && environmentOf(sidecar, services, given)
    expect(env).toMatchObject({ PORT: '40002', GANTRY_PORT_WEB_HTTP: '40001' })
  })

  it('lets the user have PORT, and nobody have GANTRY_', () => {
    const env = web && environmentOf({ ...web, env: { PORT: '1', GANTRY_PORT_WEB_HTTP: '1' } }, services)
    expect(env).toMatchObject({ PORT: '1', GANTRY_PORT_WEB_HTTP: '8080' })
  })

  it('has no PORT where there is none', () => {
    expect(web && environmentOf({ ...web, ports: [] }, [])).toEqual({ GREETING: 'hello' })
  })
})
