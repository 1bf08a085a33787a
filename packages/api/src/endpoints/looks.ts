/** What there is of one workload beside its own object. */
import type { MadeKindName } from '@gantry/core'
import { endpoint } from '../endpoint.ts'
import { changeOf, pageOf } from '../schemas/list.ts'
import { listQuery, namedInTenant, noFields } from '../schemas/query.ts'
import { replicaList } from '../schemas/replicas.ts'

const base = '/v1/tenants/{tenant}/workloads/{name}'

function madeForIt<Name extends MadeKindName>(kind: Name, plural: string) {
  return endpoint({
    operation: `workload.${plural}`,
    summary: `List or watch the ${plural} of a workload`,
    method: 'GET',
    path: `${base}/${plural}`,
    scope: 'tenant',
    permission: 'workload:read',
    params: namedInTenant,
    query: listQuery,
    reply: { statuses: [200], type: 'application/json', schema: pageOf(kind) },
    stream: { schema: changeOf(kind) },
    faults: ['not_found', 'expired'],
  })
}

export const looks = {
  releases: madeForIt('Release', 'releases'),
  rollouts: madeForIt('Rollout', 'rollouts'),
  replicas: endpoint({
    operation: 'workload.replicas',
    summary: 'What runs of a workload now: every replica with its services, and whether that could be looked at',
    method: 'GET',
    path: `${base}/replicas`,
    scope: 'tenant',
    permission: 'workload:read',
    params: namedInTenant,
    query: noFields,
    reply: { statuses: [200], type: 'application/json', schema: replicaList },
    faults: ['not_found'],
  }),
}
