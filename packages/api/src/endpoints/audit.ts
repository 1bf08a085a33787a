import { endpoint } from '../endpoint.ts'
import { auditPage, auditQuery, auditVerdict } from '../schemas/audit.ts'
import { inTenant, noFields } from '../schemas/query.ts'

const page = { statuses: [200], type: 'application/json', schema: auditPage } as const

export const audit = {
  list: endpoint({
    operation: 'audit.list',
    summary: 'What was done in a tenant, and what was refused',
    method: 'GET',
    path: '/v1/tenants/{tenant}/audit',
    scope: 'tenant',
    permission: 'audit:read',
    params: inTenant,
    query: auditQuery,
    reply: page,
    faults: ['expired'],
  }),
  listAll: endpoint({
    operation: 'audit.listAll',
    summary: 'What was done in the installation as a whole, and what was refused',
    method: 'GET',
    path: '/v1/audit',
    scope: 'system',
    permission: 'audit:read',
    params: noFields,
    query: auditQuery,
    reply: page,
    faults: ['expired'],
  }),
  verify: endpoint({
    operation: 'audit.verify',
    summary: 'Walk the whole chain of audit, and name the first entry that is not what was written',
    method: 'GET',
    path: '/v1/audit/verify',
    scope: 'system',
    permission: 'audit:verify',
    params: noFields,
    query: noFields,
    reply: { statuses: [200], type: 'application/json', schema: auditVerdict },
    faults: [],
  }),
}
