import { endpoint } from '../endpoint.ts'
import { noFields } from '../schemas/query.ts'
import { regionsReply } from '../schemas/regions.ts'

export const regions = {
  list: endpoint({
    operation: 'region.list',
    summary: 'Where workloads can run: every provider that the caller may choose, with its place and how it is',
    method: 'GET',
    path: '/v1/regions',
    scope: 'none',
    permission: 'signed_in',
    params: noFields,
    query: noFields,
    reply: { statuses: [200], type: 'application/json', schema: regionsReply },
    faults: [],
  }),
}
