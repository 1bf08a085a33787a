/** Pure: what cannot be had here, by path. A service is a program of this machine: no image, no walls, few limits. */
import type { Issue } from '@gantry/core'
import type { Desired, DesiredService } from '../desired.ts'
import { commonIssues } from '../tended/common-issues.ts'
import { isBelow } from '../tended/is-below.ts'
import type { LimitName } from './supervisor/process-spec.ts'
import { parseUser, sameUser, type User } from './users.ts'

export type Machine = {
  /** The limits that the supervisor can put in force. */
  readonly enforces: readonly LimitName[]
  /** Who processes of a tenant run as. */
  readonly userOf: (tenant: string) => User
  /** Others that a spec may name. */
  readonly allowed: readonly User[]
}

export function checkDesired(desired: Desired, machine: Machine): Issue[] {
  const issues = commonIssues(desired)
  desired.services.forEach((service, at) => {
    const path = `spec.services[${at}]`
    issues.push(...programIssues(service, path), ...portIssues(service, desired.replicas, path))
    issues.push(...userIssues(service, desired.ref.tenant, machine, path), ...nestedPaths(service, path))
    if (service.resources.gpu.count > 0) {
      const message = 'graphics processors are not given to single processes here; leave it out'
      issues.push({ path: `${path}.resources.gpu`, message })
    }
    if (service.resources.bestEffort) return
    for (const field of beyond(service, machine)) {
      issues.push({ path: `${path}.${field}`, message: 'cannot be enforced here; leave it out, or set bestEffort' })
    }
  })
  return issues
}

/** Asked for with `bestEffort`, or with nothing to hold it to, and shown as not enforced. */
export function unenforced({ services }: Desired, machine: Machine): string[] {
  return services.flatMap((service, at) => [
    ...(service.resources.bestEffort ? beyond(service, machine) : []).map((field) => `spec.services[${at}].${field}`),
    ...service.volumes.flatMap(({ size }, volume) =>
      size === undefined ? [] : [`spec.services[${at}].volumes[${volume}].size`],
    ),
    ...service.ports.flatMap(({ hostPort }, port) =>
      hostPort === 0 ? [] : [`spec.services[${at}].ports[${port}].bind`],
    ),
  ])
}

const limitOf = { cpu: 'cpuMillis', memory: 'memoryBytes', pids: 'pids' } as const satisfies Record<string, LimitName>

/** Limits that nothing here holds: disk never, the others where there are no control groups; and nothing is set aside. */
function beyond({ resources, requests }: DesiredService, { enforces }: Machine): string[] {
  const limits = (Object.keys(limitOf) as (keyof typeof limitOf)[]).filter(
    (name) => resources[name] !== undefined && !enforces.includes(limitOf[name]),
  )
  const aside = (['cpu', 'memory'] as const).filter((name) => requests[name] !== undefined)
  return [
    ...limits.map((name) => `resources.${name}`),
    ...(resources.disk === undefined ? [] : ['resources.disk']),
    ...aside.map((name) => `requests.${name}`),
  ]
}

function programIssues({ image, imagePullSecret, command }: DesiredService, path: string): Issue[] {
  const issues: Issue[] = []
  if (image !== undefined) {
    issues.push({
      path: `${path}.image`,
      message: 'services here are programs of this machine; give a command instead',
    })
  }
  if (imagePullSecret !== undefined) {
    issues.push({ path: `${path}.imagePullSecret`, message: 'there are no images here; leave it out' })
  }
  if (command.length === 0 && image === undefined) {
    issues.push({ path: `${path}.command`, message: 'is required: services here are programs of this machine' })
  }
  return issues
}

function portIssues({ ports }: DesiredService, replicas: number, path: string): Issue[] {
  return ports.flatMap(({ hostPort }, port) => {
    if (hostPort === 0 || replicas <= 1) return []
    const message = `${replicas} replicas cannot share one port of the machine; leave it out, or run one replica`
    return [{ path: `${path}.ports[${port}].hostPort`, message }]
  })
}

function userIssues({ user }: DesiredService, tenant: string, machine: Machine, path: string): Issue[] {
  if (user === undefined) return []
  const asked = parseUser(user)
  const own = machine.userOf(tenant)
  if (asked && [own, ...machine.allowed].some((each) => sameUser(each, asked))) return []
  const message = `processes of ${tenant} run as user ${own.uid}:${own.gid} here; leave it out`
  return [{ path: `${path}.user`, message }]
}

/** Volumes are folders that are linked to: what lies inside one would lie in everybody's who has it. */
function nestedPaths({ volumes, configFiles, secrets }: DesiredService, path: string): Issue[] {
  const places = [
    ...volumes.map((volume, at) => ({ at: `${path}.volumes[${at}].path`, place: volume.path })),
    ...configFiles.map((file, at) => ({ at: `${path}.configFiles[${at}].path`, place: file.path })),
    ...secrets.flatMap(({ file }, at) =>
      file === undefined ? [] : [{ at: `${path}.secrets[${at}].file`, place: file }],
    ),
  ]
  return places.flatMap(({ at, place }) => {
    const outer = volumes.find((volume) => place !== volume.path && isBelow(place, volume.path))
    if (!outer) return []
    return [
      { path: at, message: `lies inside volume ${outer.name}, which is not possible here; choose a path outside it` },
    ]
  })
}
