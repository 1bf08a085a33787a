/** How much a tenant may have. What is left out has no limit. */
import { z } from 'zod'
import { quantityField } from '../fields.ts'

const count = z.int().min(0).max(1_000_000)

export const quotaFields = z.strictObject({
  workloads: count.optional().describe('Workloads, also those that are stopped'),
  replicas: count.optional().describe('Replicas of all workloads together'),
  services: count.optional().describe('Services of all replicas together'),
  cpu: quantityField.optional().describe('Cores that all replicas together may be limited to, e.g. 8'),
  memory: quantityField.optional().describe('Bytes that all replicas together may be limited to, e.g. 16Gi'),
  disk: quantityField.optional().describe('Bytes of all disks and volumes together, e.g. 100Gi'),
  secrets: count.optional().describe('Secrets'),
})

export type Quota = z.output<typeof quotaFields>
export type QuotaCounter = keyof Quota

/** Everything that is counted, in the order people read it. */
export const quotaCounters = Object.keys(quotaFields.shape) as readonly QuotaCounter[]
