import { endpoint } from '../endpoint.ts'
import { offeredProviders, quotaReply } from '../schemas/home.ts'
import { inTenant, noFields } from '../schemas/query.ts'

const json = 'application/json'

/** What a tenant's own people may know about where they are: Tenant and Provider themselves are the installation's. */
export const home = {
  quota: endpoint({
    operation: 'tenant.quota',
    summary: 'How much the tenant may have, and how much of it is used',
    method: 'GET',
    path: '/v1/tenants/{tenant}/quota',
    scope: 'tenant',
    permission: 'quota:read',
    params: inTenant,
    query: noFields,
    reply: { statuses: [200], type: json, schema: quotaReply },
    faults: [],
  }),
  providers: endpoint({
    operation: 'tenant.providers',
    summary: 'The providers that workloads of the tenant may run on',
    method: 'GET',
    path: '/v1/tenants/{tenant}/providers',
    scope: 'tenant',
    permission: 'provider:choose',
    params: inTenant,
    query: noFields,
    reply: { statuses: [200], type: json, schema: offeredProviders },
    faults: [],
  }),
}
