/** Who did what, when, from where and with what outcome. */
import { z } from 'zod'
import { continueField } from './list.ts'
import { objectKeySchema } from './object.ts'
import { pageQuery } from './query.ts'

export const auditQuery = z.strictObject({
  ...pageQuery.shape,
  order: z.enum(['oldest', 'newest']).optional().describe('Which comes first; left out: newest'),
})

export const auditEntrySchema = z.looseObject({
  sequence: z.int().min(1).describe('Counts from 1, without holes'),
  at: z.string(),
  actor: z.string(),
  action: z.string().describe('The operation, e.g. workload.put'),
  outcome: z.enum(['done', 'refused', 'failed']),
  tenant: z.string().optional(),
  target: objectKeySchema.optional(),
  from: z.string().optional().describe('An address, or the name of a controller'),
  requestId: z.string().optional(),
  detail: z.unknown().optional().describe('What belongs to it, such as the diff, with secrets redacted'),
  effects: z
    .array(
      z.looseObject({
        key: objectKeySchema,
        uid: z.string(),
        did: z.enum(['created', 'configured', 'unchanged', 'deleting', 'deleted']),
        version: z.int(),
      }),
    )
    .describe('What was really done'),
  hash: z.string().describe('Covers this entry and the hash before it'),
})

export type AuditEntry = z.output<typeof auditEntrySchema>

export const auditPage = z.looseObject({ items: z.array(auditEntrySchema), continue: continueField })

export const auditVerdict = z.discriminatedUnion('intact', [
  z.looseObject({ intact: z.literal(true), entries: z.int(), head: z.string().describe('The hash of the last entry') }),
  z.looseObject({ intact: z.literal(false), sequence: z.int(), why: z.string() }),
])

export type AuditVerdict = z.output<typeof auditVerdict>
export type AuditPage = z.output<typeof auditPage>
