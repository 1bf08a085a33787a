/** Apply and plan: many objects at once, all or nothing. */
import { nameField } from '@gantry/core'
import { z } from 'zod'
import { anyObject, objectKeySchema } from './object.ts'
import { labelSelectorText } from './query.ts'
import { anyInput } from './write.ts'

const objects = z.array(anyInput).max(1000).describe('As files have them; the order does not count')
const tenant = nameField.optional().describe('For objects that name none; required if there is such a one, or prune')
const prune = z
  .strictObject({ labelSelector: labelSelectorText.min(1).describe('Which may go') })
  .optional()
  .describe('Delete what was applied before, has these labels, is in the tenant, and is not among the objects')

export const planInput = z.strictObject({ objects, tenant, prune })

export const applyInput = z.strictObject({
  objects,
  tenant,
  prune,
  plan: z
    .string()
    .regex(/^[0-9a-f]{64}(\.[A-Za-z0-9_-]{0,100000})?$/, 'must be the hash of a plan')
    .optional()
    .describe('The hash of a plan: refused if what is wanted or what is there is no longer what it was made from'),
})

export type PlanInput = z.input<typeof planInput>
export type ApplyInput = z.input<typeof applyInput>

const revert = z.looseObject({ path: z.string(), from: z.unknown().optional(), to: z.unknown().optional() })

export const planStepSchema = z.looseObject({
  action: z.enum(['create', 'update', 'delete', 'keep']),
  object: objectKeySchema,
  changes: z.array(
    z.looseObject({
      path: z.string().describe('Entries of named lists by name: spec.services[web].image'),
      op: z.enum(['add', 'remove', 'replace', 'reorder']),
      old: z.unknown().optional(),
      new: z.unknown().optional(),
    }),
  ),
  reverts: z.array(revert).describe('What others set since the last apply, and this sets back'),
  restarts: z.array(z.string()).describe('What happens to what runs, in words'),
  engine: z.array(z.string()).describe('The calls to the engine, as its provider plans them'),
})

export const planSchema = z.looseObject({
  steps: z.array(planStepSchema),
  hash: z
    .string()
    .describe('Hold an apply to this plan with it. Behind the dot is only what it takes to say what moved, if it did'),
})

export const applyReply = z.looseObject({
  results: z.array(
    z.looseObject({
      did: z.enum(['created', 'configured', 'unchanged', 'deleting', 'deleted']),
      object: anyObject,
      reverts: z.array(revert),
    }),
  ),
  resourceVersion: z.int().describe('The change sequence after it: watch from here'),
})

export type PlanReply = z.output<typeof planSchema>
export type ApplyReply = z.output<typeof applyReply>
