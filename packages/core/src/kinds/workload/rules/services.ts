import { repeated, type WorkloadRule } from './rule.ts'

/** Of those that are there; that there is one at all, or a source, is another rule. */
export const exactlyOneMain: WorkloadRule = ({ services }) => {
  if (services.length === 0) return []
  const mains = services.flatMap(({ role, name }, at) => (role === 'main' ? [{ name, at }] : []))
  if (mains.length === 0) {
    return [{ path: ['services'], message: 'must have one service with the role main; this one has none' }]
  }
  return mains.slice(1).map(({ at }) => ({
    path: ['services', at, 'role'],
    message: `must be sidecar or init: "${mains[0]?.name}" is main already, and an empty role means main`,
  }))
}

export const uniqueServiceNames: WorkloadRule = ({ services }) =>
  repeated(services, ({ name }) => name).map((at) => ({
    path: ['services', at, 'name'],
    message: `is taken by another service: "${services[at]?.name}"`,
  }))
