import { endpoint } from '../endpoint.ts'
import { inTenant, named, namedInTenant, noFields, pageQuery } from '../schemas/query.ts'
import { newTokenSchema, systemTokenInput, tenantTokenInput, tokenPage, tokenSchema } from '../schemas/token.ts'

const json = 'application/json'

/** Of a tenant: their roles hold there only, so an admin can give away no more than is theirs. */
export const tokens = {
  list: endpoint({
    operation: 'token.list',
    summary: 'List the tokens of a tenant, without the tokens themselves',
    method: 'GET',
    path: '/v1/tenants/{tenant}/tokens',
    scope: 'tenant',
    permission: 'token:read',
    params: inTenant,
    query: pageQuery,
    reply: { statuses: [200], type: json, schema: tokenPage },
    faults: ['expired'],
  }),
  create: endpoint({
    operation: 'token.create',
    summary: 'Make a token for a tenant; the answer is the only place where it is shown',
    method: 'POST',
    path: '/v1/tenants/{tenant}/tokens',
    scope: 'tenant',
    permission: 'token:write',
    params: inTenant,
    query: noFields,
    body: { type: json, schema: tenantTokenInput },
    reply: { statuses: [201], type: json, schema: newTokenSchema },
    faults: ['not_found', 'conflict'],
  }),
  revoke: endpoint({
    operation: 'token.revoke',
    summary: 'Revoke a token of a tenant, at once',
    method: 'DELETE',
    path: '/v1/tenants/{tenant}/tokens/{name}',
    scope: 'tenant',
    permission: 'token:write',
    params: namedInTenant,
    query: noFields,
    reply: { statuses: [200], type: json, schema: tokenSchema },
    faults: ['not_found'],
  }),
}

/** Of the installation: their role is `system`. */
export const systemTokens = {
  list: endpoint({
    operation: 'systemToken.list',
    summary: 'List the tokens of the installation, without the tokens themselves',
    method: 'GET',
    path: '/v1/tokens',
    scope: 'system',
    permission: 'token:read',
    params: noFields,
    query: pageQuery,
    reply: { statuses: [200], type: json, schema: tokenPage },
    faults: ['expired'],
  }),
  create: endpoint({
    operation: 'systemToken.create',
    summary: 'Make a token with the role system; the answer is the only place where it is shown',
    method: 'POST',
    path: '/v1/tokens',
    scope: 'system',
    permission: 'token:write',
    params: noFields,
    query: noFields,
    body: { type: json, schema: systemTokenInput },
    reply: { statuses: [201], type: json, schema: newTokenSchema },
    faults: ['conflict'],
  }),
  revoke: endpoint({
    operation: 'systemToken.revoke',
    summary: 'Revoke a token of the installation, at once',
    method: 'DELETE',
    path: '/v1/tokens/{name}',
    scope: 'system',
    permission: 'token:write',
    params: named,
    query: noFields,
    reply: { statuses: [200], type: json, schema: tokenSchema },
    faults: ['not_found', 'conflict'],
  }),
}
