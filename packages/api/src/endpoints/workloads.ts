import { tenantKindEndpoints } from './of-kind.ts'

export const workloads = tenantKindEndpoints('Workload')
