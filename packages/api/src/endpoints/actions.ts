/** What can be done to a workload beside writing it. Every one is a patch of its spec, and answers before it is true. */
import { endpoint } from '../endpoint.ts'
import { deployBody, rollbackBody, scaleBody } from '../schemas/actions.ts'
import { objectOf } from '../schemas/object.ts'
import { namedInTenant, noFields } from '../schemas/query.ts'

const base = '/v1/tenants/{tenant}/workloads/{name}/actions'

const common = {
  method: 'POST',
  scope: 'tenant',
  permission: 'workload:write',
  params: namedInTenant,
  query: noFields,
  preconditions: ['if_match'],
  reply: { statuses: [202], type: 'application/json', schema: objectOf('Workload') },
  faults: ['not_found', 'conflict', 'quota_exceeded', 'unsupported'],
} as const

export const actions = {
  deploy: endpoint({
    ...common,
    operation: 'workload.deploy',
    summary: 'Change some services and roll them out; always takes effect, also when nothing changes',
    path: `${base}/deploy`,
    body: { type: 'application/json', schema: deployBody },
  }),
  rollback: endpoint({
    ...common,
    operation: 'workload.rollback',
    summary: 'Bring back a release that is kept: images, environment, files and versions of secrets',
    path: `${base}/rollback`,
    body: { type: 'application/json', schema: rollbackBody },
  }),
  scale: endpoint({
    ...common,
    operation: 'workload.scale',
    summary: 'Change how many replicas there are, or what a service may use; what is left out stays',
    path: `${base}/scale`,
    body: { type: 'application/json', schema: scaleBody },
  }),
  start: endpoint({
    ...common,
    operation: 'workload.start',
    summary: 'Run it again, with as many replicas as before the stop',
    path: `${base}/start`,
  }),
  stop: endpoint({
    ...common,
    operation: 'workload.stop',
    summary: 'End its processes and keep everything else',
    path: `${base}/stop`,
  }),
  restart: endpoint({
    ...common,
    operation: 'workload.restart',
    summary: 'Replace every replica, as its strategy says',
    path: `${base}/restart`,
  }),
}
