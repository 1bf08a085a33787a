import { tenantKindEndpoints } from './of-kind.ts'

export const routes = tenantKindEndpoints('Route')
