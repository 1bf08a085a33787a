/** Where workloads can run, as people choose it: by place. */
import { z } from 'zod'

/** Never how an engine is reached, nor for whom else it is. */
export const regionEntry = z.looseObject({
  provider: z.string().describe('What a workload names in spec.provider'),
  type: z.string(),
  region: z.string().optional().describe('Left out: nobody has said'),
  location: z.looseObject({
    country: z.string().optional(),
    city: z.string().optional(),
    latitude: z.number().optional(),
    longitude: z.number().optional(),
  }),
  health: z.looseObject({
    ready: z.enum(['True', 'False', 'Unknown']).describe('Unknown: it could not be looked at, or was not yet'),
    checkedAt: z.string().optional().describe('When it was looked at last'),
    latencyMs: z.number().optional().describe('How long that took'),
  }),
})

export const regionsReply = z.looseObject({ items: z.array(regionEntry) })

export type Region = z.output<typeof regionEntry>
