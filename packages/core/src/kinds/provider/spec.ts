/** An engine that workloads can run on, and who may use it. */
import { z } from 'zod'
import { nameField, titleField } from '../fields.ts'
import { dockerFields } from './docker.ts'
import { kubernetesFields } from './kubernetes.ts'

/** Stands for every tenant there is and will be. */
export const everyTenant = '*'

export const locationFields = z.strictObject({
  region: nameField.optional().describe('Its own word for where it is, e.g. eu-central'),
  country: titleField.optional().describe('Where it stands, for people'),
  city: titleField.optional().describe('Where it stands, for people'),
  latitude: z.number().min(-90).max(90).optional().describe('Degrees north; together with longitude'),
  longitude: z.number().min(-180).max(180).optional().describe('Degrees east; together with latitude'),
})

export const providerFields = z.strictObject({
  type: nameField.describe('Which adapter: one of those that the server was started with'),
  tenants: z
    .array(z.union([nameField, z.literal(everyTenant)]))
    .max(1000)
    .default(['default'])
    .describe('Who may run workloads on it, by name; "*" alone: everybody'),
  default: z
    .boolean()
    .optional()
    .describe('Whether workloads that name no provider run here; at most one in the installation'),
  location: locationFields.prefault({}).describe('Where it is'),
  docker: dockerFields.optional().describe('Of type docker: where its engine is, and what it may take there'),
  kubernetes: kubernetesFields
    .optional()
    .describe('Of type kubernetes: how its cluster is spoken to, and where things go there'),
})

export type ProviderInput = z.input<typeof providerFields>
export type ProviderSpec = z.output<typeof providerFields>

/** So that what is stored says where it goes, also where nobody had to. */
export function completeProvider(fields: ProviderSpec): ProviderSpec {
  if (fields.type === 'docker' && !fields.docker) return { ...fields, docker: dockerFields.parse({}) }
  if (fields.type === 'kubernetes' && !fields.kubernetes) return { ...fields, kubernetes: kubernetesFields.parse({}) }
  return fields
}

/** Whether workloads of this tenant may run there. */
export function servesTenant({ tenants }: Pick<ProviderSpec, 'tenants'>, tenant: string): boolean {
  return tenants.includes(tenant) || tenants.includes(everyTenant)
}
