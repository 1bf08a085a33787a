import type { Finding } from '../../../validation/issues.ts'
import { nearest } from '../../../validation/nearest.ts'
import { probeTypes } from '../health-check.ts'
import type { ServiceSpec } from '../service.ts'
import type { WorkloadRule } from './rule.ts'

export const oneProbe: WorkloadRule = ({ services }) =>
  services.flatMap(({ healthCheck, role }, serviceAt): Finding[] => {
    if (!healthCheck) return []
    const path = ['services', serviceAt, 'healthCheck']
    if (role === 'init') return [{ path, message: 'is not for init services: their exit says how they are' }]
    const found = probeTypes.filter((type) => healthCheck[type] !== undefined)
    if (found.length === 1) return []
    const has = found.length === 0 ? 'none' : found.join(' and ')
    return [{ path, message: `must have exactly one of ${probeTypes.join(', ')}, and has ${has}` }]
  })

export const probedPortsExist: WorkloadRule = ({ services }) =>
  services.flatMap((service, serviceAt) =>
    (['http', 'tcp', 'grpc'] as const).flatMap((type): Finding[] => {
      const port = service.healthCheck?.[type]?.port
      const wrong = port === undefined ? undefined : portFault(service, port)
      if (wrong === undefined) return []
      return [{ path: ['services', serviceAt, 'healthCheck', type, 'port'], message: wrong }]
    }),
  )

function portFault({ ports }: ServiceSpec, name: string): string | undefined {
  const port = ports.find((one) => one.name === name)
  if (port) return port.protocol === 'udp' ? `"${name}" is a udp port, which cannot be asked` : undefined
  const names = ports.map((one) => one.name)
  const guess = nearest(name, names)
  if (guess !== undefined) return `there is no port "${name}" in this service; did you mean "${guess}"?`
  return `there is no port "${name}" in this service; ${names.length > 0 ? `there are ${names.join(', ')}` : 'it has none'}`
}
