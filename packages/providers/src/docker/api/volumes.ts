/** Volumes over the wire. */
import type { VolumesApi } from './api.ts'
import { escaped, filterText, jsonIfThere, jsonOf, removed } from './questions.ts'
import type { Volume } from './types/volumes.ts'
import type { Wire } from './wire.ts'

export function volumesApi(wire: Wire): VolumesApi {
  const at = (name: string): string => `/volumes/${escaped(name)}`
  return {
    async list(filters, call) {
      const request = { method: 'GET', path: '/volumes', query: { filters: filterText(filters) } } as const
      return (await jsonOf<{ Volumes: Volume[] | null }>(wire, request, call)).Volumes ?? []
    },
    inspect: (name, call) => jsonIfThere<Volume>(wire, at(name), call),
    create: (json, call) => jsonOf<Volume>(wire, { method: 'POST', path: '/volumes/create', json }, call),
    remove: (name, call) => removed(wire, { method: 'DELETE', path: at(name) }, call),
  }
}
