import { systemKindEndpoints } from './of-kind.ts'

export const providers = systemKindEndpoints('Provider')
