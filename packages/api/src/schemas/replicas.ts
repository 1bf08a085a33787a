/** What runs of a workload, over both of its slots, and how well that is known. */
import { blindStatus, replicaStatus, slots } from '@gantry/core'
import { z } from 'zod'

export const replicaItem = z.looseObject({
  ...replicaStatus.shape,
  slot: z.enum(slots).describe('Which of the two places of the workload it is in'),
  provider: z.string().describe('Where it runs'),
})

export const replicaList = z.looseObject({
  items: z.array(replicaItem).describe('By slot and index'),
  blind: z
    .record(z.string(), blindStatus)
    .describe('By slot: why it cannot be looked at now; its replicas are then how they were before'),
})

export type ReplicaItem = z.output<typeof replicaItem>
export type ReplicaList = z.output<typeof replicaList>
