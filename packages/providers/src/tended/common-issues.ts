/** Pure: what no engine can give whose replicas we tend ourselves, by path. */
import type { Issue } from '@gantry/core'
import type { Desired } from '../desired.ts'

export function commonIssues({ expose, services }: Desired): Issue[] {
  const issues: Issue[] = []
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
