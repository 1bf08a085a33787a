/** Which kinds a server has, over the wire; kept until somebody asks for one that is not among them. */
import { type Call, orAbort } from '@gantry/core'
import type { DiscoveryApi, Resource } from './api.ts'
import { type Kinds, lookForKinds } from './discovery-look.ts'
import { jsonOf } from './questions.ts'
import type { ServerVersion } from './types/discovery.ts'
import type { Wire } from './wire.ts'

export function discoveryApi(wire: Wire): DiscoveryApi {
  let known: Promise<Kinds> | undefined

  /** One look for all who wait; every question of it has its own deadline. */
  function look(call: Call): Promise<Kinds> {
    if (known === undefined) {
      const own = lookForKinds(wire, { signal: new AbortController().signal })
      known = own
      own.catch(() => {
        if (known === own) known = undefined
      })
    }
    return orAbort(known, call)
  }

  return {
    version: (call) => jsonOf<ServerVersion>(wire, { method: 'GET', path: '/version' }, call),
    async resource(apiVersion, kind, call): Promise<Resource | undefined> {
      const before = known
      const found = (await look(call)).byName.get(`${apiVersion} ${kind}`)
      if (found || before === undefined) return found
      // It may be younger than what we know; one that was asked for meanwhile knows more already.
      if (known === before) known = undefined
      return (await look(call)).byName.get(`${apiVersion} ${kind}`)
    },
    async all(call) {
      const { preferred, unavailable } = await look(call)
      return { resources: preferred, unavailable }
    },
    refresh() {
      known = undefined
    },
  }
}
