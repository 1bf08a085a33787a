import { endpoint } from '../endpoint.ts'
import { deleteWorkloadQuery } from '../schemas/delete.ts'
import { tenantKindEndpoints } from './of-kind.ts'

const usual = tenantKindEndpoints('Workload')

export const workloads = {
  ...usual,
  delete: endpoint({
    ...usual.delete,
    summary: 'Ask for a workload to be deleted; it is gone once its engine has been seen to be rid of it',
    query: deleteWorkloadQuery,
  }),
}
