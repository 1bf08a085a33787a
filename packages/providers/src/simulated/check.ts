/** Pure: what this engine cannot do, by path. It has everything but a load balancer and a way to count processes. */
import type { Issue } from '@gantry/core'
import type { Desired } from '../desired.ts'
import { wishIssues } from '../tended/common-issues.ts'

export function checkDesired(desired: Desired): Issue[] {
  const issues: Issue[] = wishIssues(desired.engine)
  if (desired.expose === 'load_balancer') {
    issues.push({ path: 'spec.expose', message: 'there is no load balancer here; use none or node' })
  }
  desired.services.forEach(({ resources, ports }, at) => {
    const path = `spec.services[${at}]`
    if (resources.pids !== undefined && !resources.bestEffort) {
      const message = 'processes are not counted here; leave it out, or set resources.bestEffort'
      issues.push({ path: `${path}.resources.pids`, message })
    }
    ports.forEach(({ hostPort }, port) => {
      if (hostPort === 0 || desired.replicas <= 1) return
      const message = `${desired.replicas} replicas cannot share one port of the machine; leave it out, or run one replica`
      issues.push({ path: `${path}.ports[${port}].hostPort`, message })
    })
  })
  return issues
}

/** Asked for with `bestEffort`, and shown as not enforced. */
export function unenforced({ services }: Desired): string[] {
  return services.flatMap(({ resources }, at) =>
    resources.pids !== undefined && resources.bestEffort ? [`spec.services[${at}].resources.pids`] : [],
  )
}
