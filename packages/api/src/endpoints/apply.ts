import { endpoint } from '../endpoint.ts'
import { applyInput, applyReply, planInput, planSchema } from '../schemas/plan.ts'
import { noFields } from '../schemas/query.ts'

export const apply = endpoint({
  operation: 'objects.apply',
  summary: 'Bring objects to what files say: all or nothing, merged with what was last applied',
  method: 'POST',
  path: '/v1/apply',
  scope: 'objects',
  permission: 'per_object',
  verb: 'write',
  params: noFields,
  query: noFields,
  body: { type: 'application/json', schema: applyInput },
  reply: { statuses: [200], type: 'application/json', schema: applyReply },
  faults: ['not_found', 'conflict', 'quota_exceeded', 'unsupported'],
})

export const plan = endpoint({
  operation: 'objects.plan',
  summary: 'What an apply would do, and a hash to hold it to; changes nothing',
  method: 'POST',
  path: '/v1/plan',
  scope: 'objects',
  permission: 'per_object',
  verb: 'read',
  params: noFields,
  query: noFields,
  body: { type: 'application/json', schema: planInput },
  reply: { statuses: [200], type: 'application/json', schema: planSchema },
  faults: ['not_found', 'unsupported'],
})
