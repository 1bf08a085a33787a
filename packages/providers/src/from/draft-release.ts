/** Pure: what a release is made of, and how deploys and scales change it. */
import { canonicalQuantity, Fault, hashOf, type ReleaseContent, releaseHash, type ServiceSpec } from '@gantry/core'
import type { ScaleRequest, ServiceDeploy } from '../provider.ts'

/** Of the content, and of the stamp that tells two deploys of equal content apart. */
export function stampedHash(content: ReleaseContent, stamp: string | undefined): string {
  const hash = releaseHash(content)
  return stamp === undefined ? hash : hashOf({ hash, stamp })
}

/** The services after a deploy: those it lists changed, all others as they were. */
export function deployServices(services: readonly ServiceSpec[], changes: readonly ServiceDeploy[]): ServiceSpec[] {
  const byName = new Map(changes.map((change) => [change.name, change]))
  for (const { name } of changes) {
    if (!services.some((service) => service.name === name)) throw serviceNotFound(name, services)
  }
  return services.map((service) => {
    const change = byName.get(service.name)
    return change ? deployService(service, change) : service
  })
}

function deployService(service: ServiceSpec, { image, env, healthCheck }: ServiceDeploy): ServiceSpec {
  const { healthCheck: before, ...rest } = service
  const check = healthCheck === undefined ? before : healthCheck
  return {
    ...rest,
    ...(image === undefined ? {} : { image }),
    env: mergeEnvironment(service.env, env ?? {}),
    ...(check ? { healthCheck: check } : {}),
  }
}

/** `KEY-` takes KEY away; no variable's own name can end in a dash. */
export function mergeEnvironment(
  before: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>>,
): Record<string, string> {
  const merged = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(changes)) {
    if (key.endsWith('-')) merged.delete(key.slice(0, -1))
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}

/** The services after a scale of anything but replicas; the very same array when nothing is asked for. */
export function scaleServices(services: readonly ServiceSpec[], request: ScaleRequest): readonly ServiceSpec[] {
  const { cpu, memory, disk, gpu } = request
  if (cpu === undefined && memory === undefined && disk === undefined && gpu === undefined) return services
  if (services.length === 0) throw serviceNotFound(request.service, services)
  const target = request.service ?? mainOf(services)
  if (!services.some(({ name }) => name === target)) throw serviceNotFound(target, services)
  return services.map((service) => {
    if (service.name !== target) return service
    const resources = {
      ...service.resources,
      ...(cpu === undefined ? {} : { cpu: canonicalQuantity(cpu) }),
      ...(memory === undefined ? {} : { memory: canonicalQuantity(memory) }),
      ...(disk === undefined ? {} : { disk: canonicalQuantity(disk) }),
      ...(gpu === undefined ? {} : { gpu: { ...service.resources.gpu, count: gpu } }),
    }
    return { ...service, resources }
  })
}

export function mainOf(services: readonly Pick<ServiceSpec, 'name' | 'role'>[]): string {
  const main = services.find(({ role }) => role === 'main')
  if (!main) throw new Fault('schema', 'A workload has exactly one main service, and this one has none')
  return main.name
}

export function serviceNotFound(name: string | undefined, services: readonly Pick<ServiceSpec, 'name'>[]): Fault {
  if (services.length === 0) {
    const what = name === undefined ? 'There are no services' : `There is no service ${name}`
    const message = `${what}: this is made of manifests or of a chart; change what is in those, and apply it`
    return new Fault('service_not_found', message)
  }
  const there = services.map((service) => service.name).join(', ')
  return new Fault('service_not_found', `There is no service ${name}; services: ${there}`)
}
