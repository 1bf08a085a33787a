/** Pure: which of the addresses that were seen is meant by a port. */
import type { ForwardStart } from '@gantry/api'
import { Fault, type WorkloadSpec } from '@gantry/core'
import type { Endpoint } from '@gantry/providers'
import type { Target } from './target.ts'

/** A number is the one in the spec: what others name, wherever it is on this engine. */
export function forwardedEndpoint(
  target: Pick<Target, 'endpoints' | 'replica' | 'service'>,
  start: Pick<ForwardStart, 'port' | 'service'>,
  spec: Pick<WorkloadSpec, 'services' | 'source'>,
): Endpoint {
  const found = spec.source ? ofSource(target, start) : ofServices(target, start, spec)
  if (!found) throw noPort(target, start, spec)
  if (found.protocol === 'udp')
    throw new Fault('capability_missing', `Port ${found.port} speaks udp, which is not forwarded`)
  return found
}

function ofServices(
  { endpoints, service }: Pick<Target, 'endpoints' | 'service'>,
  { port }: Pick<ForwardStart, 'port'>,
  { services }: Pick<WorkloadSpec, 'services'>,
): Endpoint | undefined {
  const ports = services.find(({ name }) => name === service)?.ports ?? []
  const name = typeof port === 'string' ? port : ports.find((one) => one.port === port)?.name
  return endpoints.find((one) => one.service === service && one.port === name)
}

/** Ports of what others wrote are those of its Services, whichever has it, unless one is named. */
function ofSource(
  { endpoints }: Pick<Target, 'endpoints'>,
  { port, service }: Pick<ForwardStart, 'port' | 'service'>,
): Endpoint | undefined {
  return endpoints.find(
    (one) =>
      (service === undefined || one.service === service) &&
      (typeof port === 'string' ? one.port === port : one.port === String(port) || dialledPort(one) === port),
  )
}

const dialledPort = ({ dial }: Endpoint): number | undefined => ('port' in dial ? dial.port : undefined)

function noPort(
  { endpoints, replica, service }: Pick<Target, 'endpoints' | 'replica' | 'service'>,
  { port, service: named }: Pick<ForwardStart, 'port' | 'service'>,
  { source }: Pick<WorkloadSpec, 'source'>,
): Fault {
  const own = endpoints.filter((one) => (source ? named === undefined : false) || one.service === (named ?? service))
  const known = [...new Set(own.map((one) => (source ? `${one.port} of ${one.service}` : one.port)))]
  const there = known.length > 0 ? `there are ${known.join(', ')}` : 'it has none'
  const who = source && named === undefined ? 'What runs' : `${named ?? service} of replica ${replica.index}`
  return new Fault('bad_request', `${who} has no port ${port}; ${there}`)
}
