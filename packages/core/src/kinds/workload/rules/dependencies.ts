import type { Finding } from '../../../validation/issues.ts'
import { nearest } from '../../../validation/nearest.ts'
import { findCycle } from '../cycle.ts'
import { repeated, type WorkloadRule } from './rule.ts'

export const knownDependencies: WorkloadRule = ({ services }) => {
  const roles = new Map(services.map(({ name, role }) => [name, role]))
  return services.flatMap((service, serviceAt) =>
    service.dependsOn.flatMap(({ service: name, until }, at): Finding[] => {
      const path = ['services', serviceAt, 'dependsOn', at]
      const role = roles.get(name)
      if (role === undefined) {
        const guess = nearest(name, roles.keys())
        const hint = guess === undefined ? `there are ${[...roles.keys()].join(', ')}` : `did you mean "${guess}"?`
        return [{ path: [...path, 'service'], message: `there is no service "${name}"; ${hint}` }]
      }
      if (service.role === 'init' && role !== 'init') {
        const message = `"${name}" starts after every init service, so an init service cannot wait for it`
        return [{ path: [...path, 'service'], message }]
      }
      if (until === 'completed' && role !== 'init') {
        return [{ path: [...path, 'until'], message: `only init services complete, and "${name}" is ${role}` }]
      }
      if (until !== 'completed' && role === 'init') {
        return [{ path: [...path, 'until'], message: `"${name}" is an init service, which can only be completed` }]
      }
      return []
    }),
  )
}

export const noDependencyTwice: WorkloadRule = ({ services, dependsOn }) => [
  ...services.flatMap((service, serviceAt) =>
    repeated(service.dependsOn, ({ service: name }) => name).map((at) => ({
      path: ['services', serviceAt, 'dependsOn', at, 'service'],
      message: 'is there twice',
    })),
  ),
  ...repeated(dependsOn, ({ workload }) => workload).map((at) => ({
    path: ['dependsOn', at, 'workload'],
    message: 'is there twice',
  })),
]

export const noDependencyCycle: WorkloadRule = ({ services }) => {
  const cycle = findCycle(
    new Map(services.map(({ name, dependsOn }) => [name, dependsOn.map(({ service }) => service)])),
  )
  if (!cycle) return []
  const at = services.findIndex(({ name }) => name === cycle[0])
  return [{ path: ['services', at, 'dependsOn'], message: `waits for itself: ${cycle.join(' → ')}` }]
}
