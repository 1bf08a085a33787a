/** Pure: where ports can be dialled: of each pod at its own address, of the instance at the one of its Service. */
import { label } from '../../labels.ts'
import type { Endpoint } from '../../observed.ts'
import type { InstanceFacts } from './facts.ts'
import type { PortRecord, ServiceRecord } from './record.ts'
import type { PodSeen } from './seen.ts'

type Where = Pick<InstanceFacts, 'via' | 'nodeAddress' | 'connectionAgeMs'>

export function podEndpoints(
  { services, address, hostAddress, deleting }: PodSeen,
  { via }: Pick<Where, 'via'>,
): Endpoint[] {
  if (address === undefined || deleting) return []
  return portsOf(services).flatMap(({ service, port }) => {
    const common = { service, port: port.name, protocol: port.protocol, stable: false } as const
    const own: Endpoint = { ...common, public: false, via, dial: { host: address, port: port.port } }
    if (port.hostPort === undefined || hostAddress === undefined) return [own]
    return [
      own,
      { ...common, public: true, via: 'direct', dial: { host: port.bind ?? hostAddress, port: port.hostPort } },
    ]
  })
}

export function stableEndpoints(facts: Pick<InstanceFacts, 'ref' | 'workload' | 'services'> & Where): Endpoint[] {
  const known = portsOf(facts.workload?.seen.services ?? [])
  return facts.services.flatMap(({ ref, selector, clusterIp, ports, balancers }) => {
    if (clusterIp === undefined) return []
    // The one of the workload as a whole is the instance's while it lets its slot in, and then only from outside.
    const slot = selector[label.slot]
    if (!ref && slot !== undefined && slot !== facts.ref.slot) return []
    return ports.flatMap(({ port: number, protocol, nodePort }) => {
      const found = known.find(({ port }) => port.port === number && wire(port) === protocol)
      if (!found) return []
      const { service, port } = found
      const { connectionAgeMs } = facts
      const age = connectionAgeMs === undefined ? {} : { maxConnectionAgeMs: connectionAgeMs }
      const common = { service, port: port.name, protocol: port.protocol, stable: true, ...age } as const
      const open = (host: string, at: number): Endpoint => ({
        ...common,
        public: true,
        via: 'direct',
        dial: { host, port: at },
      })
      const inside = (): Endpoint => ({
        ...common,
        public: false,
        via: facts.via,
        dial: { host: clusterIp, port: number },
      })
      return [
        ...(ref ? [inside()] : []),
        ...(nodePort !== undefined && facts.nodeAddress !== undefined ? [open(facts.nodeAddress, nodePort)] : []),
        ...balancers.map((host) => open(host, number)),
      ]
    })
  })
}

const portsOf = (services: readonly ServiceRecord[]): { readonly service: string; readonly port: PortRecord }[] =>
  services
    .filter(({ role }) => role !== 'init')
    .flatMap(({ name: service, ports }) => ports.map((port) => ({ service, port })))

const wire = ({ protocol }: PortRecord): string => (protocol === 'udp' ? 'UDP' : 'TCP')
