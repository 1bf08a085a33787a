/** Containers over the wire. */
import type { Call } from '@gantry/core'
import type { ContainersApi, LogRange } from './api.ts'
import { frameBlocks, framesOf } from './frames.ts'
import { done, escaped, filterText, ifThere, jsonIfThere, jsonOf, removed } from './questions.ts'
import type { Container, ContainerStats, ContainerSummary, CreatedContainer } from './types/containers.ts'
import type { Wire } from './wire.ts'

export function containersApi(wire: Wire): ContainersApi {
  const at = (id: string, what = ''): string => `/containers/${escaped(id)}${what}`
  const openLog = (id: string, { tty: _, ...range }: LogRange, call: Call): Promise<AsyncIterable<Buffer>> => {
    const query = { stdout: true, stderr: true, ...range }
    return wire.open({ method: 'GET', path: at(id, '/logs'), query }, call)
  }
  return {
    list: ({ all, filters, size }, call) => {
      const query = { all, size, filters: filterText(filters) }
      return jsonOf<ContainerSummary[]>(wire, { method: 'GET', path: '/containers/json', query }, call)
    },
    inspect: (id, call) => jsonIfThere(wire, at(id, '/json'), call),
    create: (name, json, call) => {
      const request = { method: 'POST', path: '/containers/create', query: { name }, json, turn: 'create' } as const
      return jsonOf<CreatedContainer>(wire, request, call)
    },
    start: (id, call) => done(wire, { method: 'POST', path: at(id, '/start'), turn: 'start' }, call),
    stop: (id, graceSeconds, call) => {
      const query = { t: graceSeconds }
      return done(wire, { method: 'POST', path: at(id, '/stop'), query, moreMs: graceSeconds * 1_000 }, call)
    },
    restart: (id, graceSeconds, call) => {
      const query = { t: graceSeconds }
      return done(wire, { method: 'POST', path: at(id, '/restart'), query, moreMs: graceSeconds * 1_000 }, call)
    },
    unpause: async (id, call) => {
      try {
        await done(wire, { method: 'POST', path: at(id, '/unpause') }, call)
      } catch (error) {
        const found = await jsonIfThere<Container>(wire, at(id, '/json'), call)
        if (found?.State.Paused) throw error
      }
    },
    update: (id, json, call) => done(wire, { method: 'POST', path: at(id, '/update'), json }, call),
    kill: (id, signal, call) => done(wire, { method: 'POST', path: at(id, '/kill'), query: { signal } }, call),
    rename: (id, name, call) => done(wire, { method: 'POST', path: at(id, '/rename'), query: { name } }, call),
    async wait(id, condition, call) {
      const request = { method: 'POST', path: at(id, '/wait'), query: { condition }, moreMs: 'forever' } as const
      return (await jsonOf<{ StatusCode: number }>(wire, request, call)).StatusCode
    },
    remove: (id, { force, volumes: v }, call) =>
      removed(wire, { method: 'DELETE', path: at(id), query: { force, v }, turn: 'remove' }, call),
    logs: async (id, range, call) => framesOf(await openLog(id, range, call), range.tty),
    logBlocks: async (id, range, call) => frameBlocks(await openLog(id, range, call), range.tty),
    stats: (id, call) => {
      const query = { stream: false, 'one-shot': true }
      return ifThere(() => jsonOf<ContainerStats>(wire, { method: 'GET', path: at(id, '/stats'), query }, call))
    },
    putArchive: (id, path, archive, call) =>
      done(wire, { method: 'PUT', path: at(id, '/archive'), query: { path }, archive }, call),
    getArchive: (id, path, call) => wire.open({ method: 'GET', path: at(id, '/archive'), query: { path } }, call),
  }
}
