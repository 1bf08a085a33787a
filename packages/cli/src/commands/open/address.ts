/** Pure: where a workload answers, for whoever is here. */
import { Fault, type ObjectOf, ownHost } from '@gantry/core'
import type { SeenPort } from './seen-port.ts'

export type Place = {
  readonly workload: ObjectOf<'Workload'>
  readonly routes: readonly ObjectOf<'Route'>[]
  /** As the server says it; left out: it has no edge. */
  readonly edge: string | undefined
  /** The server that was asked. */
  readonly server: string
  /** The http port that was seen of it, if there is one: of what others wrote, nothing else is known. */
  readonly seen?: SeenPort | undefined
}

export function addressOf({ workload, routes, edge, server, seen }: Place): string {
  const { name, tenant = 'default' } = workload.metadata
  const { services, source } = workload.spec
  const ports = services.filter(({ role }) => role === 'main').flatMap((service) => service.ports ?? [])
  const http = source ? seen?.port : ports.find(({ protocol }) => protocol === 'http')?.name
  if (http === undefined) {
    const give = source ? 'give it a Service with a port called http' : 'give one of its ports "protocol: http"'
    const next = `${give}, or reach it by "gantry port-forward"`
    throw new Fault('capability_missing', `The workload "${name}" has no http port, so it has no address; ${next}`)
  }
  if (edge === undefined) {
    const next = `"gantry port-forward ${name} :${http}" reaches it`
    throw new Fault('capability_missing', `This server has no edge, so "${name}" has no address; ${next}`)
  }
  if (seen?.via === 'tunnel') {
    const next = `"gantry port-forward ${name} :${http}" reaches it`
    const why = 'can be reached only through the API of its engine, so it has no address'
    throw new Fault('capability_missing', `"${name}" ${why}; ${next}`)
  }
  const { port } = new URL(edge)
  const behind = port === '' ? '' : `:${port}`
  // *.localhost is this machine, which is right only if the edge is here.
  if (isHere(server)) return `http://${ownHost(name, tenant)}${behind}/`
  const own = routes.find(({ spec }) => spec.workload === name)
  const [host] = own?.spec.hosts ?? []
  if (host !== undefined) return `http://${host}${behind}${own?.spec.paths[0] ?? '/'}`
  const { hostname } = new URL(server)
  const next = `make a Route with a host that leads to ${hostname}, or use "gantry port-forward"`
  throw new Fault('capability_missing', `"${name}" runs on another machine, and has no host name there; ${next}`)
}

export function isHere(server: string): boolean {
  const { hostname } = new URL(server)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
