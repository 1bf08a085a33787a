/** The values of a secret. They come in here and nowhere go out. */
import { secretKeyField } from '@gantry/core'
import { z } from 'zod'

/** One value, at most 1 MiB. */
const text = z.string().max(1_048_576)
const base64 = z
  .string()
  .max(1_398_104)
  .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be base64 with its padding')

export const secretData = z
  .strictObject({
    text: z.record(secretKeyField, text).default({}).describe('Values that are text, by name'),
    base64: z.record(secretKeyField, base64).default({}).describe('Values that are bytes, by name'),
  })
  .describe('All values of the next version; those of the version before that are not here are not in it')

/** JSON merge patch over the same: null removes, whichever of the two the value is in. */
export const secretChange = z
  .strictObject({
    text: z.record(secretKeyField, text.nullable()).default({}).describe('Values that are text, by name; null removes'),
    base64: z
      .record(secretKeyField, base64.nullable())
      .default({})
      .describe('Values that are bytes, by name; null removes'),
  })
  .describe('What is different in the next version; all other values are taken over from the one before, unseen')

export type SecretData = z.input<typeof secretData>
export type SecretChange = z.input<typeof secretChange>
