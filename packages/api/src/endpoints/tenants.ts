import { systemKindEndpoints } from './of-kind.ts'

export const tenants = systemKindEndpoints('Tenant')
