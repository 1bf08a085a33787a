/** What a person can still say about the rollout of a workload that is under way. */
import { endpoint } from '../endpoint.ts'
import { abortBody } from '../schemas/actions.ts'
import { objectOf } from '../schemas/object.ts'
import { namedInTenant, noFields } from '../schemas/query.ts'

const base = '/v1/tenants/{tenant}/workloads/{name}/rollout'

const common = {
  method: 'POST',
  scope: 'tenant',
  permission: 'workload:write',
  params: namedInTenant,
  query: noFields,
  reply: { statuses: [202], type: 'application/json', schema: objectOf('Rollout') },
  faults: ['not_found', 'conflict'],
} as const

export const rolloutActs = {
  pause: endpoint({
    ...common,
    operation: 'rollout.pause',
    summary: 'Let the rollout go no further for now; what runs stays as it is',
    path: `${base}/pause`,
  }),
  resume: endpoint({
    ...common,
    operation: 'rollout.resume',
    summary: 'Let a paused rollout go on, or try on after a failure that paused it',
    path: `${base}/resume`,
  }),
  promote: endpoint({
    ...common,
    operation: 'rollout.promote',
    summary: 'Open the gate that the rollout waits at',
    path: `${base}/promote`,
  }),
  abort: endpoint({
    ...common,
    operation: 'rollout.abort',
    summary: 'Give the rollout up and go back to the release before',
    path: `${base}/abort`,
    body: { type: 'application/json', schema: abortBody },
  }),
}
