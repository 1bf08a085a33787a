import { endpoint } from '../endpoint.ts'
import { tenantEvents, tenantEventsQuery } from '../schemas/event.ts'
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
  /** Apart from `events`, which are those of the Tenant itself. */
  activity: endpoint({
    operation: 'tenant.activity',
    summary: 'What happened to the objects of the tenant, newest first',
    method: 'GET',
    path: '/v1/tenants/{tenant}/activity',
    scope: 'tenant',
    // Who may look at workloads may look at everything that has events in a tenant.
    permission: 'workload:read',
    params: inTenant,
    query: tenantEventsQuery,
    reply: { statuses: [200], type: json, schema: tenantEvents },
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
