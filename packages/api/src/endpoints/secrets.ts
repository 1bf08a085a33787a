import { endpoint } from '../endpoint.ts'
import { objectOf } from '../schemas/object.ts'
import { namedInTenant, noFields } from '../schemas/query.ts'
import { secretChange, secretData } from '../schemas/secret-data.ts'
import { tenantKindEndpoints } from './of-kind.ts'

/** The only way in for values, and there is none out. */
const data = {
  path: '/v1/tenants/{tenant}/secrets/{name}/data',
  scope: 'tenant',
  permission: 'secret:data',
  params: namedInTenant,
  query: noFields,
  preconditions: ['if_match'],
  reply: { statuses: [200], type: 'application/json', schema: objectOf('Secret') },
  faults: ['not_found', 'conflict'],
} as const

export const secrets = {
  ...tenantKindEndpoints('Secret'),
  putData: endpoint({
    ...data,
    operation: 'secret.putData',
    summary: 'Write the values of a secret as its next version; they are never read back',
    method: 'PUT',
    body: { type: 'application/json', schema: secretData },
  }),
  patchData: endpoint({
    ...data,
    operation: 'secret.patchData',
    summary: 'Write some values of a secret, and take over the others, as its next version; nothing is read back',
    method: 'PATCH',
    body: { type: 'application/merge-patch+json', schema: secretChange },
  }),
}
