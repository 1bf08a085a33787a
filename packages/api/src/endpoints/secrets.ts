import { endpoint } from '../endpoint.ts'
import { objectOf } from '../schemas/object.ts'
import { namedInTenant, noFields } from '../schemas/query.ts'
import { secretData } from '../schemas/secret-data.ts'
import { tenantKindEndpoints } from './of-kind.ts'

export const secrets = {
  ...tenantKindEndpoints('Secret'),
  /** The only way in for values, and there is none out. */
  putData: endpoint({
    operation: 'secret.putData',
    summary: 'Write the values of a secret as its next version; they are never read back',
    method: 'PUT',
    path: '/v1/tenants/{tenant}/secrets/{name}/data',
    scope: 'tenant',
    permission: 'secret:data',
    params: namedInTenant,
    query: noFields,
    preconditions: ['if_match'],
    body: { type: 'application/json', schema: secretData },
    reply: { statuses: [200], type: 'application/json', schema: objectOf('Secret') },
    faults: ['not_found', 'conflict'],
  }),
}
