/** The engine itself, over the wire. */
import type { SystemApi } from './api.ts'
import { jsonLines } from './json-lines.ts'
import { filterText, jsonOf } from './questions.ts'
import type { DockerEvent } from './types/events.ts'
import type { EngineInfo, EngineVersion } from './types/system.ts'
import type { Wire } from './wire.ts'

export function systemApi(wire: Wire): SystemApi {
  return {
    version: (call) => jsonOf<EngineVersion>(wire, { method: 'GET', path: '/version' }, call),
    info: (call) => jsonOf<EngineInfo>(wire, { method: 'GET', path: '/info' }, call),
    async events({ since, until, filters }, call) {
      const query = { since, until, filters: filterText(filters) }
      return jsonLines<DockerEvent>(await wire.open({ method: 'GET', path: '/events', query }, call))
    },
  }
}
