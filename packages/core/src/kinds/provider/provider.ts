import { z } from 'zod'
import { defineKind } from '../define-kind.ts'
import { commonStatus } from '../envelope.ts'
import { slots } from '../instance/slot.ts'
import { providerFace } from './face.ts'
import { providerRules } from './rules.ts'
import { completeProvider, providerFields } from './spec.ts'

const orphanFields = z.strictObject({
  tenant: z.string().describe('Whose it was'),
  workload: z.string().describe('The workload that it was made for'),
  uid: z.string().describe('Of that workload'),
  slot: z.enum(slots).describe('Which slot of it'),
  replicas: z.int().min(0).describe('How many of them are there'),
  since: z.string().describe('When it was first seen without an owner'),
})

export const providerStatus = z.strictObject({
  ...commonStatus,
  version: z.string().optional().describe('What the engine says that it is'),
  facts: z.record(z.string(), z.string()).optional().describe('What the engine says of itself, by name'),
  limits: z.array(z.string()).optional().describe('What is limited there and why'),
  latencyMs: z.number().min(0).optional().describe('How long the last look took; not written for its own sake'),
  checkedAt: z.string().optional().describe('When that was; not written for its own sake'),
  orphans: z.array(orphanFields).optional().describe('What is ours there, and belongs to nothing any more'),
})
export type ProviderStatus = z.output<typeof providerStatus>

export const providerKind = defineKind({
  ...providerFace,
  spec: providerFields,
  status: providerStatus,
  complete: completeProvider,
  rules: providerRules,
  reserved: { 'spec.connection': 'how to reach an engine stands under the name of its type, such as spec.docker' },
})
