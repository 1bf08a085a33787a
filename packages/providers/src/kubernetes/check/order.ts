/** Pure: who waits for whom, where that cannot be had. */
import type { Issue } from '@gantry/core'
import type { DesiredService } from '../../desired.ts'
import { awaitedOf, podOrder } from '../plan/order.ts'
import { type PlanSettings, sidecarMinor } from '../plan/settings.ts'

export function orderIssues(services: readonly DesiredService[], { serverVersion: { minor } }: PlanSettings): Issue[] {
  return [...(minor < sidecarMinor ? waitIssues(services, minor) : []), ...gateIssues(services)]
}

function waitIssues(services: readonly DesiredService[], minor: number): Issue[] {
  const awaited = awaitedOf(services.filter(({ role }) => role !== 'init'))
  return services.flatMap(({ role, dependsOn }, at) =>
    dependsOn.flatMap(({ service }, number) => {
      if (role === 'init' || !awaited.has(service)) return []
      const message = `Kubernetes 1.${minor} has no native sidecars, which 1.29 has; make "${service}" an init service, or leave it out`
      return [{ path: `spec.services[${at}].dependsOn[${number}]`, message }]
    }),
  )
}

/** The kubelet lets the next one start at the first success. */
function gateIssues(services: readonly DesiredService[]): Issue[] {
  const { healthyFirst } = podOrder(services)
  return services.flatMap(({ name, healthCheck }, at) => {
    if (!healthyFirst.has(name) || !healthCheck || healthCheck.successThreshold === 1) return []
    const message = 'others wait for this one, which counts as healthy here at its first success; leave it at 1'
    return [{ path: `spec.services[${at}].healthCheck.successThreshold`, message }]
  })
}
