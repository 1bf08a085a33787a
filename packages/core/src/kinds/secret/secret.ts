/** Values that only services may see. The object says which there are; the values themselves lie in the vault. */
import { z } from 'zod'
import { defineKind } from '../define-kind.ts'
import { commonStatus } from '../envelope.ts'
import { titleField } from '../fields.ts'
import { secretFace } from './face.ts'
import { secretKeyField } from './key.ts'
import { secretRules } from './rules.ts'

export const secretFields = z.strictObject({
  description: titleField.optional().describe('What it is for'),
  keys: z
    .array(secretKeyField)
    .max(100)
    .default([])
    .describe('Values that it must have: data without one of them is refused; empty: any'),
})

export type SecretInput = z.input<typeof secretFields>
export type SecretSpec = z.output<typeof secretFields>

export const secretVersionFields = z.strictObject({
  version: z.int().min(1).describe('Counts up with every write of data'),
  createdAt: z.string().describe('When it was written'),
  createdBy: z.string().max(256).optional().describe('Who wrote it'),
  keys: z
    .array(
      z.strictObject({
        name: secretKeyField.describe('The name of the value'),
        fingerprint: z.string().describe('Equal for equal values of this secret; says nothing else about them'),
      }),
    )
    .describe('Which values it has'),
})

export type SecretVersion = z.output<typeof secretVersionFields>

export const secretStatus = z.strictObject({
  ...commonStatus,
  version: z.int().min(1).optional().describe('The version that new releases take; none before data was written'),
  versions: z.array(secretVersionFields).optional().describe('The versions that are kept, newest first'),
})

export type SecretStatus = z.output<typeof secretStatus>

const inData = 'values are written with PUT …/secrets/{name}/data only, and never read back'

export const secretKind = defineKind({
  ...secretFace,
  spec: secretFields,
  status: secretStatus,
  complete: (written): SecretSpec => written,
  rules: secretRules,
  reserved: { 'spec.data': inData, 'spec.values': inData, 'spec.stringData': inData, 'spec.value': inData },
})
