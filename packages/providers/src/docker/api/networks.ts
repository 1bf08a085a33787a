/** Networks over the wire. */
import { isFault } from '@gantry/core'
import type { NetworksApi } from './api.ts'
import { done, escaped, filterText, jsonIfThere, jsonOf, removed } from './questions.ts'
import type { Network } from './types/networks.ts'
import type { Wire } from './wire.ts'

export function networksApi(wire: Wire): NetworksApi {
  const at = (id: string, what = ''): string => `/networks/${escaped(id)}${what}`
  return {
    list: (filters, call) =>
      jsonOf<Network[]>(wire, { method: 'GET', path: '/networks', query: { filters: filterText(filters) } }, call),
    inspect: (id, call) => jsonIfThere<Network>(wire, at(id), call),
    async create(settings, call) {
      const json = { CheckDuplicate: true, ...settings }
      return (await jsonOf<{ Id: string }>(wire, { method: 'POST', path: '/networks/create', json }, call)).Id
    },
    connect: (id, Container, EndpointConfig, call) =>
      done(wire, { method: 'POST', path: at(id, '/connect'), json: { Container, EndpointConfig } }, call),
    async disconnect(id, Container, call) {
      try {
        await wire.ask({ method: 'POST', path: at(id, '/disconnect'), json: { Container, Force: true } }, call)
      } catch (error) {
        // The network or the container is not there, or the one is not in the other: each is what was wanted.
        if (isFault(error) && error.reason === 'engine_object_not_found') return
        const inside = await jsonIfThere<Network>(wire, at(id), call)
        const isIn = Object.entries(inside?.Containers ?? {}).some(([id, { Name }]) => [id, Name].includes(Container))
        if (isIn) throw error
      }
    },
    remove: (id, call) => removed(wire, { method: 'DELETE', path: at(id) }, call),
  }
}
