import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { integerText, namedInTenant } from '../schemas/query.ts'
import { usageReply } from '../schemas/usage.ts'

const usageQuery = z.strictObject({
  minutes: integerText(1, 1440, /^[0-9]{1,4}$/, 'must be a whole number')
    .optional()
    .describe('Of the last so many minutes; left out: of the last hour'),
})

export const usage = endpoint({
  operation: 'workload.usage',
  summary: 'What it used in the last minutes or hours',
  method: 'GET',
  path: '/v1/tenants/{tenant}/workloads/{name}/usage',
  scope: 'tenant',
  permission: 'workload:read',
  params: namedInTenant,
  query: usageQuery,
  reply: { statuses: [200], type: 'application/json', schema: usageReply },
  faults: ['not_found'],
})
