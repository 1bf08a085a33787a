import { z } from 'zod'
import { nameField, placeField } from '../fields.ts'
import { envNameField } from './environment.ts'

/** Refers to a value in the vault; a spec never has the value itself. Exactly one of `env` and `file`. */
export const secretRefSpec = z.strictObject({
  name: nameField.describe('A Secret of the same tenant'),
  key: z
    .string()
    .regex(/^[-._A-Za-z0-9]{1,253}$/, 'must be letters, digits, dashes, dots and underscores')
    .describe('Which of its values'),
  env: envNameField.optional().describe('Told in this environment variable'),
  file: placeField.optional().describe('Told in this file'),
})

export type SecretRefSpec = z.output<typeof secretRefSpec>
