import { z } from 'zod'
import { quantityField } from '../fields.ts'

export const gpuSpec = z.strictObject({
  count: z.int().min(0).max(1024).default(0).describe('How many'),
  type: z
    .string()
    .regex(/^[-._/A-Za-z0-9]{0,128}$/, 'must be letters, digits, dashes, dots, underscores and slashes')
    .default('')
    .describe('Which, as the engine calls it; empty: any'),
})

export const resourcesSpec = z.strictObject({
  cpu: quantityField.optional().describe('Cores, e.g. 250m; left out: no limit'),
  memory: quantityField.optional().describe('Bytes, e.g. 64Mi; left out: no limit'),
  disk: quantityField.optional().describe('Bytes that the service may write outside its volumes; left out: no limit'),
  pids: z.int().min(1).max(4_194_304).optional().describe('Processes and threads; left out: no limit'),
  gpu: gpuSpec.prefault({}).describe('Graphics processors'),
  bestEffort: z
    .boolean()
    .default(false)
    .describe('Accept limits that the engine cannot enforce, and show them as not enforced'),
})

export const requestsSpec = z.strictObject({
  cpu: quantityField.optional().describe('Cores to set aside; left out: the limit'),
  memory: quantityField.optional().describe('Bytes to set aside; left out: the limit'),
})

export type ResourcesSpec = z.output<typeof resourcesSpec>
export type RequestsSpec = z.output<typeof requestsSpec>
