/** Pure: what cannot be had on this daemon, by path, all at once. */
import type { Issue, VolumeSpec } from '@gantry/core'
import type { Desired, DesiredService } from '../desired.ts'
import { commonIssues } from '../tended/common-issues.ts'
import { isBelow } from '../tended/is-below.ts'
import type { Machine } from './machine.ts'
import { bytesOf, type LimitName, limitNames } from './plan/limits.ts'

/** The daemon itself refuses less. */
const leastMemory = 6 * 1024 * 1024

export function checkDesired(desired: Desired, machine: Machine): Issue[] {
  const issues = commonIssues(desired)
  desired.services.forEach((service, at) => {
    const path = `spec.services[${at}]`
    if (service.image === undefined) {
      issues.push({ path: `${path}.image`, message: 'is required: services here are containers; name an image' })
    }
    issues.push(...resourceIssues(service, machine, path))
    issues.push(
      ...service.volumes.flatMap((volume, number) => volumeIssues(volume, machine, `${path}.volumes[${number}]`)),
    )
  })
  return issues
}

/** Asked for with `bestEffort`, or with nothing to hold it to, and shown as not enforced. */
export function unenforced({ services }: Desired, machine: Machine): string[] {
  return services.flatMap((service, at) => [
    ...beyond(service, machine).map((name) => `spec.services[${at}].resources.${name}`),
    ...service.volumes.flatMap(({ size, type }, number) =>
      size === undefined || type === 'memory' ? [] : [`spec.services[${at}].volumes[${number}].size`],
    ),
  ])
}

const beyond = ({ resources }: DesiredService, { enforces }: Machine): LimitName[] =>
  limitNames.filter((name) => resources[name] !== undefined && !enforces.has(name))

function resourceIssues(service: DesiredService, machine: Machine, path: string): Issue[] {
  const { resources } = service
  const issues: Issue[] = []
  if (resources.gpu.count > 0 && !machine.gpu) {
    const message =
      'this engine has no runtime for graphics processors; install the one of their maker, or leave it out'
    issues.push({ path: `${path}.resources.gpu`, message })
  }
  if (resources.gpu.count > 0 && resources.gpu.type !== '') {
    const message = 'graphics processors are only counted here; leave the type out'
    issues.push({ path: `${path}.resources.gpu.type`, message })
  }
  if (resources.memory !== undefined && bytesOf(resources.memory) < leastMemory) {
    issues.push({ path: `${path}.resources.memory`, message: 'containers have 6Mi at least here; ask for more' })
  }
  if (resources.bestEffort) return issues
  for (const name of beyond(service, machine)) {
    const message = 'cannot be enforced here; leave it out, or set bestEffort'
    issues.push({ path: `${path}.resources.${name}`, message })
  }
  return issues
}

function volumeIssues({ type, source }: VolumeSpec, { hostFolders }: Machine, path: string): Issue[] {
  if (type !== 'host' || hostFolders.some((folder) => isBelow(source ?? '', folder))) return []
  const those = hostFolders.length === 0 ? 'no folder' : `only what is below ${hostFolders.join(', ')}`
  const message = `${those} of the engine's machine may be given to services here; ask who runs it, or use a persistent volume`
  return [{ path: `${path}.source`, message }]
}
