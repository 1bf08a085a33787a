import { z } from 'zod'
import { nameField } from '../fields.ts'

export const dependencyConditions = ['started', 'healthy', 'completed'] as const
export type DependencyCondition = (typeof dependencyConditions)[number]

export const serviceDependencyFields = z.strictObject({
  service: nameField.describe('A service of this workload'),
  until: z
    .enum(dependencyConditions)
    .optional()
    .describe('What to wait for; completed is for init services, and their default; else started'),
})

/** As providers get it: what is waited for is decided. Gates the first start of a replica only. */
export type ServiceDependency = { service: string; until: DependencyCondition }

export const workloadDependencySpec = z.strictObject({
  workload: nameField.describe('A workload of the same tenant, which must be Ready first'),
})

export type WorkloadDependency = z.output<typeof workloadDependencySpec>
