/** Pure: what cannot be had on this cluster, by path, all at once, each with a way out. */
import type { Issue } from '@gantry/core'
import type { Desired, DesiredService } from '../desired.ts'
import { wishIssues } from '../tended/common-issues.ts'
import { annotationIssues, labelIssues } from './check/metadata.ts'
import { orderIssues } from './check/order.ts'
import { portIssues } from './check/ports.ts'
import { resourceIssues } from './check/resources.ts'
import { schedulingIssues } from './check/scheduling.ts'
import { fileIssues, surgeIssues, volumeIssues } from './check/volumes.ts'
import { type PlanSettings, sidecarMinor, sleepMinor } from './plan/settings.ts'
import { userIds } from './plan/users.ts'

export function checkDesired(desired: Desired, settings: PlanSettings): Issue[] {
  const { kubernetes, ...others } = desired.engine
  return [
    ...wishIssues(others),
    ...schedulingIssues(kubernetes ?? {}),
    ...labelIssues(desired.labels),
    // What comes from another source has its own pods, and says itself how they are made.
    ...(desired.source === undefined ? servicesIssues(desired, settings) : []),
  ]
}

function servicesIssues(desired: Desired, settings: PlanSettings): Issue[] {
  const { services, restart } = desired
  return [
    ...(restart.policy === 'always' ? [] : [{ path: 'spec.restart.policy', message: onlyAlways }]),
    ...exposeIssues(desired),
    ...surgeIssues(desired),
    ...services.flatMap((service, at) => {
      const path = `spec.services[${at}]`
      return [
        ...programIssues(service, path),
        ...portIssues(service, path),
        ...resourceIssues(service, settings, path),
        ...volumeIssues(service, settings, path),
        ...fileIssues(service, path),
      ]
    }),
    ...orderIssues(services, settings),
    ...annotationIssues(services),
  ]
}

const onlyAlways =
  'pods that are kept there are always restarted by Kubernetes; leave it at always, or use a provider of another type'

function exposeIssues({ expose, services }: Desired): Issue[] {
  const asked = services.some(({ role, ports }) => role !== 'init' && ports.length > 0)
  if (expose === 'none' || asked) return []
  return [{ path: 'spec.expose', message: 'no service has a port to be exposed; give one a port, or leave it out' }]
}

function programIssues({ image, user }: DesiredService, path: string): Issue[] {
  return [
    ...(image === undefined
      ? [{ path: `${path}.image`, message: 'is required: services here are containers; name an image' }]
      : []),
    ...(user === undefined || userIds(user) !== undefined
      ? []
      : [
          {
            path: `${path}.user`,
            message: 'users are numbers up to 2147483647 here; write uid or uid:gid, such as 1000:1000',
          },
        ]),
  ]
}

/** What is limited on this cluster and why, in sentences. */
export function planLimits({ serverVersion: { minor }, drainSeconds }: PlanSettings): string[] {
  return [
    ...(minor < sidecarMinor
      ? [`services cannot wait for each other (dependsOn): Kubernetes 1.${minor} has no native sidecars, 1.29 has`]
      : []),
    ...(minor < sleepMinor && drainSeconds > 0
      ? [
          `requests may fail while replicas are replaced: Kubernetes 1.${minor} cannot wait before a stop by itself, 1.30 can`,
        ]
      : []),
    'processes are not counted for each service (resources.pids)',
  ]
}
