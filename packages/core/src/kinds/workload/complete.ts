/** Defaults that follow from other fields. Pure and total: whatever the schema lets through can be completed. */
import type { ServiceDependency } from './depends-on.ts'
import type { ServiceFields, ServiceRole, ServiceSpec } from './service.ts'
import { completeSource } from './source/fields.ts'
import type { WorkloadFields, WorkloadSpec } from './spec.ts'
import type { StrategyFields, StrategySpec } from './strategy.ts'

export function completeWorkload(fields: WorkloadFields): WorkloadSpec {
  const roles = new Map(fields.services.map(({ name, role }) => [name, role]))
  const services = fields.services.map((service) => completeService(service, roles, fields.type))
  const alone =
    fields.type === 'stateful_set' || services.some(({ ports }) => ports.some(({ hostPort }) => hostPort > 0))
  const strategy = completeStrategy(fields.strategy, alone)
  const { source: written, ...rest } = fields
  if (!written) return { ...rest, services, strategy }
  const source = completeSource(written)
  // What Helm may take in silence is no standstill.
  const progressDeadlineSeconds = Math.max(strategy.progressDeadlineSeconds, source.helm?.timeoutSeconds ?? 0)
  return { ...rest, services, source, strategy: { ...strategy, progressDeadlineSeconds } }
}

export function completeService(
  service: ServiceFields,
  roles: ReadonlyMap<string, ServiceRole>,
  type: WorkloadFields['type'],
): ServiceSpec {
  const volumeType = type === 'stateful_set' ? 'persistent' : 'ephemeral'
  return {
    ...service,
    volumes: service.volumes.map((volume) => ({ ...volume, type: volume.type ?? volumeType })),
    dependsOn: service.dependsOn.map(
      ({ service: name, until }): ServiceDependency => ({
        service: name,
        until: until ?? (roles.get(name) === 'init' ? 'completed' : 'started'),
      }),
    ),
  }
}

const defaultSteps = [
  { weight: 10, pauseSeconds: 60 },
  { weight: 50, pauseSeconds: 60 },
]

/** `alone`: no replica may be doubled while it is replaced, so the default is to take one away first. */
export function completeStrategy(fields: StrategyFields, alone: boolean): StrategySpec {
  const { type, minReadySeconds, progressDeadlineSeconds, onFailure } = fields
  const gates = { minReadySeconds, progressDeadlineSeconds, onFailure }
  switch (type) {
    case 'rolling': {
      const maxSurge = fields.maxSurge ?? (alone ? 0 : 1)
      return { type, maxSurge, maxUnavailable: fields.maxUnavailable ?? (maxSurge === 0 ? 1 : 0), ...gates }
    }
    case 'recreate':
      return { type, ...gates }
    case 'blue_green':
      return { type, autoPromote: fields.autoPromote ?? true, warmSeconds: fields.warmSeconds ?? 0, ...gates }
    case 'canary':
      return {
        type,
        steps: fields.steps ?? defaultSteps,
        ...(fields.analysis && { analysis: fields.analysis }),
        ...gates,
      }
    default:
      return type satisfies never
  }
}
