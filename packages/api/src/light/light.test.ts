import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { readReply } from '../client/answer.ts'
import { wireRequest } from '../client/request.ts'
import type { Endpoint } from '../endpoint.ts'
import { allEndpoints, endpoints } from '../endpoints/table.ts'
import { createLightClient } from './create-light-client.ts'
import { endpointOver, wireOf } from './wire-endpoint.ts'
import { wireTable } from './wire-table.generated.ts'

const light = (endpoint: Endpoint): Endpoint => endpointOver(wireOf(endpoint)) as Endpoint

describe('the client without schemas', () => {
  it('knows every group and endpoint that there is', () => {
    const names = (table: object): string[] =>
      Object.entries(table).flatMap(([group, verbs]) => Object.keys(verbs).map((verb) => `${group}.${verb}`))
    expect(names(wireTable)).toEqual(names(endpoints))
  })

  it.each(allEndpoints.map((endpoint) => [endpoint.operation, endpoint] as const))(
    'asks for %s as the other does',
    (_, endpoint) => {
      const parts = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, part]) => [part, 'abc'])
      const given = { params: Object.fromEntries(parts), query: { limit: 3 }, body: { a: 1 }, ifGeneration: 4 }
      expect(wireRequest(light(endpoint), given)).toEqual(wireRequest(endpoint, given))
    },
  )

  it.each(['', '.', '..'])('refuses %j as a part of a path, which would lead to another place', (name) => {
    expect(() => wireRequest(light(endpoints.workloads.read), { params: { tenant: 'default', name } })).toThrow(Fault)
  })

  it('takes no page of something else for an answer', () => {
    const answer = { server: 'http://here', status: 200, type: 'text/html', requestId: undefined }
    expect(() => readReply(light(endpoints.workloads.list), answer, '<html>')).toThrow(/not how Gantry answers/)
  })

  it('has what the other has', () => {
    const client = createLightClient({ server: 'http://127.0.0.1:1' })
    expect(Object.keys(client.tenant('default').workloads)).toContain('deploy')
  })
})
