import type { Finding } from '../../../validation/issues.ts'
import type { PortSpec } from '../ports.ts'
import type { WorkloadSpec } from '../spec.ts'
import { repeated, type WorkloadRule } from './rule.ts'

type Placed = PortSpec & { readonly path: readonly (string | number)[]; readonly init: boolean }

function allPorts({ services }: WorkloadSpec): Placed[] {
  return services.flatMap(({ ports, role }, serviceAt) =>
    ports.map((port, at) => ({ ...port, path: ['services', serviceAt, 'ports', at], init: role === 'init' })),
  )
}

const transport = ({ protocol }: PortSpec): 'udp' | 'tcp' => (protocol === 'udp' ? 'udp' : 'tcp')

export const uniquePortNames: WorkloadRule = ({ services }) =>
  services.flatMap(({ ports }, serviceAt) =>
    repeated(ports, ({ name }) => name).map((at) => ({
      path: ['services', serviceAt, 'ports', at, 'name'],
      message: `is taken by another port of this service: "${ports[at]?.name}"`,
    })),
  )

/** Services of a replica share one localhost; init services are gone before the others come. */
export const uniquePorts: WorkloadRule = (spec) => {
  const ports = allPorts(spec).filter(({ init }) => !init)
  return repeated(ports, (port) => `${port.port}/${transport(port)}`).flatMap((at): Finding[] => {
    const port = ports[at]
    if (!port) return []
    const message = `${port.port} is taken by another port of this workload, and its services share one localhost`
    return [{ path: [...port.path, 'port'], message }]
  })
}

const everyAddress = new Set(['0.0.0.0', '::'])

function overlap(left: PortSpec, right: PortSpec): boolean {
  if (left.hostPort !== right.hostPort || transport(left) !== transport(right)) return false
  return left.bind === right.bind || everyAddress.has(left.bind) || everyAddress.has(right.bind)
}

/** A port of the machine is held by one replica at a time; two that want it, also while one gives way, collide. */
export const noHostPortCollision: WorkloadRule = (spec) => {
  const fixed = allPorts(spec).filter(({ hostPort }) => hostPort > 0)
  if (fixed.length === 0) return []
  const twice = fixed.filter((port, at) => fixed.slice(0, at).some((earlier) => overlap(earlier, port)))
  const doubles = doubling(spec)
  return [
    ...twice.map(({ path, hostPort, bind }) => ({
      path: [...path, 'hostPort'],
      message: `${hostPort} on ${bind} is taken by another port of this workload`,
    })),
    ...(doubles === undefined ? [] : fixed).map(({ path, hostPort, bind }) => ({
      path: [...path, 'hostPort'],
      message: `${hostPort} on ${bind} can be held by one replica at a time: ${doubles}`,
    })),
  ]
}

function doubling({ replicas, strategy }: WorkloadSpec): string | undefined {
  if (replicas > 1) return `${replicas} replicas would collide; use one replica, or hostPort 0`
  if (strategy.type === 'recreate' || (strategy.type === 'rolling' && strategy.maxSurge === 0)) return undefined
  return `the strategy ${strategy.type} runs two for a while; use recreate, or rolling with maxSurge 0`
}
