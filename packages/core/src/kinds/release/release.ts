/** An immutable, self-contained snapshot of what a workload runs: with this and the vault it can be run again. */
import { z } from 'zod'
import { defineKind } from '../define-kind.ts'
import { commonStatus } from '../envelope.ts'
import { nameField, titleField } from '../fields.ts'
import { completeService } from '../workload/complete.ts'
import { type ServiceSpec, serviceFields } from '../workload/service.ts'
import { completeSource, type SourceSpec, sourceFields } from '../workload/source/fields.ts'
import { stampField } from '../workload/stamp.ts'
import { releaseFace } from './face.ts'

export const releaseNumberField = z.int().min(1)

export const releaseFields = z.strictObject({
  workload: nameField.describe('Whose it is'),
  number: releaseNumberField.describe('Counts the releases of the workload: 4 is shown as v4'),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Of its content and stamp: a new release exists if and only if this changes'),
  services: z
    .array(serviceFields)
    .describe('What runs in every replica; contents of config files are references into the vault'),
  source: sourceFields.optional().describe('Instead of services; what is in it are references into the vault'),
  secretVersions: z
    .record(nameField, z.int().min(1))
    .describe('The version of each Secret that a service refers to, by name'),
  images: z
    .record(nameField, z.string().max(1024))
    .describe('By service: what its image meant when the release was made'),
  stamp: stampField.optional().describe('Tells two deploys of the same content apart'),
  createdBy: z.string().max(256).optional().describe('Who asked for it'),
  message: titleField.optional().describe('Why, in their words; else what changed'),
  changes: z
    .array(z.string().max(1024))
    .max(100)
    .optional()
    .describe('What is different from the release that was asked for before, by path; never a value'),
})

export type ReleaseInput = z.input<typeof releaseFields>
export type ReleaseSpec = Omit<z.output<typeof releaseFields>, 'services' | 'source'> & {
  services: ServiceSpec[]
  source?: SourceSpec | undefined
}

export const releaseStatus = z.strictObject({ ...commonStatus })
export type ReleaseStatus = z.output<typeof releaseStatus>

export const releaseKind = defineKind({
  ...releaseFace,
  spec: releaseFields,
  status: releaseStatus,
  complete: ({ source, ...written }): ReleaseSpec => ({
    ...written,
    // A workload has decided all of it before; only a release that nobody made would have something left.
    services: written.services.map((service) => completeService(service, new Map(), 'deployment')),
    ...(source && { source: completeSource(source) }),
  }),
})

/** What a release is called; no other workload's can be called the same. */
export function releaseName(workload: string, number: number): string {
  return `${workload}-v${number}`
}
