/**
 * What every object comes in, as a user may write it. What only the server sets is accepted and dropped, so that
 * `get -o yaml` can be edited and applied again; `uid` is kept, so that a file about an object that was deleted and made
 * anew is told apart by whoever writes it.
 */
import { z } from 'zod'
import { annotationsField, labelsField, nameField } from './fields.ts'

const setByServer = z.unknown().optional().describe('Set by the server; ignored in a file')

export const metadataFields = z.strictObject({
  name: nameField.describe('Unique among the objects of its kind in the tenant'),
  tenant: nameField.optional().describe('Left out: the one of the context'),
  labels: labelsField.default({}).describe('To find it by; they reach every object on the engine'),
  annotations: annotationsField.default({}).describe('Notes of people and programs'),
  uid: z.string().max(128).optional().describe('Set by the server; if given, the object must be this very one'),
  generation: setByServer,
  resourceVersion: setByServer,
  ownerRefs: setByServer,
  finalizers: setByServer,
  createdAt: setByServer,
  deletionRequestedAt: setByServer,
})

export const conditionFields = z.strictObject({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  message: z.string(),
  since: z.string(),
})

/** On the status of every kind. */
export const commonStatus = {
  observedGeneration: z.int().min(0).optional().describe('The generation that this status is about'),
  conditions: z
    .array(conditionFields)
    .optional()
    .describe('Ready, Progressing, Degraded: each with since when and why'),
}

export function envelopeOf<Kind extends string, Spec extends z.ZodType>(kind: Kind, spec: Spec, name: z.ZodString) {
  const { shape } = metadataFields
  const metadata = z.strictObject({ ...shape, name: name.describe(shape.name.description ?? '') })
  return z.strictObject({
    apiVersion: z.literal('gantry/v1').describe('The version of the language that the object is written in'),
    kind: z.literal(kind).describe('What sort of object it is'),
    metadata: metadata.describe('How it is called and found'),
    spec: spec.describe('What is wanted'),
    status: z.unknown().optional().describe('What is; set by the server, ignored in a file'),
  })
}

/** An object as it was asked for: checked, complete, and without anything that only the server may say. */
export type Manifest<Spec = unknown> = {
  readonly apiVersion: 'gantry/v1'
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly tenant?: string
    readonly uid?: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations: Readonly<Record<string, string>>
  }
  readonly spec: Spec
}
