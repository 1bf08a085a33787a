import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { execClientFrame, execServerFrame } from '../schemas/frames.ts'
import { namedInTenant, noFields } from '../schemas/query.ts'

export const exec = endpoint({
  operation: 'workload.exec',
  summary: 'Run a command inside a service that runs; what to run is in the first frame',
  method: 'GET',
  path: '/v1/tenants/{tenant}/workloads/{name}/exec',
  scope: 'tenant',
  permission: 'workload:exec',
  params: namedInTenant,
  query: noFields,
  reply: { statuses: [101], type: 'application/json', schema: z.null() },
  upgrade: { client: execClientFrame, server: execServerFrame },
  faults: ['not_found', 'conflict', 'unsupported'],
})
