/** The engine itself, over the wire. */
import type { SystemApi } from './api.ts'
import { jsonLines } from './json-lines.ts'
import { done, filterText, jsonOf } from './questions.ts'
import type { DockerEvent } from './types/events.ts'
import type { EngineInfo, EngineVersion } from './types/system.ts'
import type { Volume } from './types/volumes.ts'
import type { Wire } from './wire.ts'

export function systemApi(wire: Wire): SystemApi {
  return {
    ping: (call) => done(wire, { method: 'GET', path: '/_ping' }, call),
    version: (call) => jsonOf<EngineVersion>(wire, { method: 'GET', path: '/version' }, call),
    info: (call) => jsonOf<EngineInfo>(wire, { method: 'GET', path: '/info' }, call),
    async events({ since, until, filters }, call) {
      const query = { since, until, filters: filterText(filters) }
      return jsonLines<DockerEvent>(await wire.open({ method: 'GET', path: '/events', query }, call))
    },
    async volumeSizes(call) {
      const request = { method: 'GET', path: '/system/df', query: { type: 'volume' } } as const
      const { Volumes } = await jsonOf<{ Volumes: Volume[] | null }>(wire, request, call)
      const sizes = (Volumes ?? []).map(({ Name, UsageData }) => [Name, UsageData?.Size ?? -1] as const)
      return new Map(sizes.filter(([, size]) => size >= 0))
    },
  }
}
