/** What the people of a tenant may know of the tenant itself and of the installation around it. */
import { quotaFields } from '@gantry/core'
import { z } from 'zod'

export const quotaReply = z.looseObject({
  tenant: z.string(),
  displayName: z.string().optional(),
  plan: z.string().optional(),
  limits: quotaFields.loose().describe('How much it may have; what is left out has no limit'),
  used: quotaFields.loose().describe('How much of each it has now'),
})

/** Never how an engine is reached, nor for whom else it is. */
export const offeredProvider = z.looseObject({
  name: z.string().describe('What a workload names in spec.provider'),
  type: z.string(),
  ready: z.enum(['True', 'False', 'Unknown']).describe('Unknown: it could not be looked at, or was not yet'),
  default: z.boolean().describe('Whether a workload that names none gets it'),
  location: z.looseObject({
    region: z.string().optional(),
    country: z.string().optional(),
    city: z.string().optional(),
  }),
})

export const offeredProviders = z.looseObject({ items: z.array(offeredProvider) })

export type TenantQuota = z.output<typeof quotaReply>
export type OfferedProvider = z.output<typeof offeredProvider>
