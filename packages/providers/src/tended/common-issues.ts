/** Pure: what no engine can give whose replicas we tend ourselves, by path. */
import type { Issue } from '@gantry/core'
import type { Desired } from '../desired.ts'

export function commonIssues({ expose, services, engine }: Desired): Issue[] {
  const issues: Issue[] = wishIssues(engine)
  if (expose !== 'none') {
    const message = `nothing here stands before a service to be ${expose}; give a port a hostPort, or use the edge`
    issues.push({ path: 'spec.expose', message })
  }
  for (const [at, { healthCheck }] of services.entries()) {
    const message = 'gRPC is not spoken here yet; use http, tcp or command'
    if (healthCheck?.grpc) issues.push({ path: `spec.services[${at}].healthCheck.grpc`, message })
  }
  return issues
}

/** Wishes that some other engine understands. */
export function wishIssues(engine: Desired['engine']): Issue[] {
  return Object.entries(engine)
    .filter(([, wishes]) => wishes !== undefined)
    .map(([name]) => ({
      path: `spec.engine.${name}`,
      message: `only ${name} understands this; leave it out, or choose a provider of that type`,
    }))
}
