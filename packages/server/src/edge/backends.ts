/** Pure: where requests for one port of one slot can go. */
import type { EndpointStatus } from '@gantry/core'
import type { EdgeBackend } from '@gantry/edge'
import type { RoutedWorkload } from './routed-objects.ts'
import type { RoutedInstance, RoutedReplica, Wishes } from './wishes.ts'

/** Which port is meant: the one of this name, or of the main service the first. */
export type WantedPort = { readonly service: string | undefined; readonly port: string }

/** `undefined`: the workload has no such http port. `seen`: the stable endpoints of its slots. */
export function wantedPort(
  { services, source }: RoutedWorkload['spec'],
  name: string | undefined,
  seen: readonly EndpointStatus[] = [],
): WantedPort | undefined {
  // Which ports there are, somebody else wrote: it is what is seen of it, and best what can be dialled.
  if (source) {
    const fitting = seen.filter((each) => each.stable && isHttp(each) && (name === undefined || each.port === name))
    return fitting.find(isRoutable) ?? fitting[0]
  }
  const main = services.find(({ role }) => role === 'main') ?? services[0]
  const ordered = main ? [main, ...services.filter((service) => service !== main)] : []
  for (const service of name === undefined ? ordered.slice(0, 1) : ordered) {
    const found = service.ports.find((port) => port.protocol === 'http' && (name === undefined || port.name === name))
    if (found) return { service: service.name, port: found.name }
  }
  return undefined
}

export type SlotBackends = {
  /** All that are told of, those that leave included. */
  readonly backends: readonly EdgeBackend[]
  /** Ids of those that get requests. */
  readonly serving: readonly string[]
}

export function backendsOf(
  instance: RoutedInstance,
  wanted: WantedPort,
  { leaving, inRotation }: Pick<Wishes, 'leaving' | 'inRotation'>,
): SlotBackends {
  const stable = instance.endpoints.find((endpoint) => endpoint.stable && fits(endpoint, wanted))
  // Where the engine replaces replicas by itself, it also knows best which of them answers.
  if (stable) return stableBackend(instance, stable)
  const backends: EdgeBackend[] = []
  const serving: string[] = []
  for (const replica of instance.replicas) {
    const endpoint = replica.endpoints.find((each) => fits(each, wanted))
    if (!endpoint) continue
    const id = `${replica.engineId}/${endpoint.service}/${endpoint.port}`
    const leaves = leaving.has(replica.engineId)
    const serves = !leaves && isInRotation(replica, inRotation.has(id))
    if (!serves && !inRotation.has(id) && !leaves) continue
    backends.push({ id, dial: endpoint.dial, leaving: !serves })
    if (serves) serving.push(id)
  }
  return { backends, serving }
}

/** Unknown never leaves rotation, and does not come into it; a positive failure does leave. */
function isInRotation({ ready, terminating }: RoutedReplica, wasIn: boolean): boolean {
  return !terminating && (ready ?? wasIn)
}

function stableBackend({ uid, slot, replicas }: RoutedInstance, endpoint: EndpointStatus): SlotBackends {
  const { service, port, dial, maxConnectionAgeMs } = endpoint
  const at = 'unix' in dial ? dial.unix : `${dial.host}:${dial.port}`
  const id = `${uid}-${slot}/${service}/${port}@${at}`
  const answers = replicas.some(({ ready, terminating }) => !terminating && ready !== false)
  if (!answers) return { backends: [], serving: [] }
  const age = maxConnectionAgeMs === undefined ? {} : { maxConnectionAgeMs }
  return { backends: [{ id, dial, leaving: false, ...age }], serving: [id] }
}

function fits(endpoint: EndpointStatus, { service, port }: WantedPort): boolean {
  return isRoutable(endpoint) && endpoint.service === service && endpoint.port === port
}

/** Somebody would answer, but only through the API of the engine, which the edge does not speak. */
export function isTunnelled({ endpoints, replicas }: RoutedInstance, { service, port }: WantedPort): boolean {
  const able = replicas.filter(({ ready, terminating }) => !terminating && ready !== false)
  const seen = able.flatMap((replica) => replica.endpoints).concat(able.length > 0 ? endpoints : [])
  return seen.some((each) => isHttp(each) && !isRoutable(each) && each.service === service && each.port === port)
}

const isHttp = ({ protocol }: EndpointStatus): boolean => protocol === 'http'
const isRoutable = (endpoint: EndpointStatus): boolean => isHttp(endpoint) && endpoint.via === 'direct'
