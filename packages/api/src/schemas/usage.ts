/** What a workload used. A figure that the engine does not have is left out, never 0. */
import { slots } from '@gantry/core'
import { z } from 'zod'

const bytes = z.number().min(0)

export const usageSample = z.looseObject({
  at: z.string().describe('When it was looked'),
  cpuMillis: z.number().min(0).optional().describe('Thousandths of one core'),
  memoryBytes: bytes.optional(),
  memoryLimitBytes: bytes.optional().describe('Only where there is a limit'),
  diskBytes: bytes.optional(),
  networkInBytes: bytes.optional().describe('Since its start'),
  networkOutBytes: bytes.optional().describe('Since its start'),
})

const replicaUsage = z.looseObject({
  slot: z.enum(slots),
  replica: z.int().min(0).describe('By index'),
  cpuMillis: z.number().min(0).optional().describe('Thousandths of one core'),
  memoryBytes: bytes.optional(),
})

export const usageReply = z.looseObject({
  everySeconds: z.int().min(1).describe('How far apart samples are, when all goes well'),
  samples: z
    .array(usageSample)
    .describe('Oldest first; those of both slots added up. None where nothing could be told'),
  replicas: z
    .array(replicaUsage)
    .optional()
    .describe('Each by itself at the last look; absent where the engine tells only of all together'),
})

export type UsageSample = z.output<typeof usageSample>
export type UsageReply = z.output<typeof usageReply>
