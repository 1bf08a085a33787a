import { endpoint } from '../endpoint.ts'
import { logQuery, logRecord } from '../schemas/logs.ts'
import { namedInTenant } from '../schemas/query.ts'

export const logs = endpoint({
  operation: 'workload.logs',
  summary: 'Lines of all its replicas that are and were, in order of time',
  method: 'GET',
  path: '/v1/tenants/{tenant}/workloads/{name}/logs',
  scope: 'tenant',
  permission: 'workload:read',
  params: namedInTenant,
  query: logQuery,
  reply: { statuses: [200], type: 'application/x-ndjson', schema: logRecord },
  lines: true,
  faults: ['not_found'],
})
