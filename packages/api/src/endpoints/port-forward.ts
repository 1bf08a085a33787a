import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { forwardClientFrame, forwardServerFrame } from '../schemas/frames.ts'
import { namedInTenant, noFields } from '../schemas/query.ts'

export const portForward = endpoint({
  operation: 'workload.portForward',
  summary: 'One connection to a port of a replica; which one is in the first frame',
  method: 'GET',
  path: '/v1/tenants/{tenant}/workloads/{name}/port-forward',
  scope: 'tenant',
  permission: 'workload:forward',
  params: namedInTenant,
  query: noFields,
  reply: { statuses: [101], type: 'application/json', schema: z.null() },
  upgrade: { client: forwardClientFrame, server: forwardServerFrame },
  faults: ['not_found', 'conflict', 'unsupported'],
})
