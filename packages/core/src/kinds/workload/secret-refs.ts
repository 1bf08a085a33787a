import { z } from 'zod'
import { nameField, placeField } from '../fields.ts'
import { secretKeyField } from '../secret/key.ts'
import { envNameField } from './environment.ts'

/** Refers to a value in the vault; a spec never has the value itself. Exactly one of `env` and `file`. */
export const secretRefSpec = z.strictObject({
  name: nameField.describe('A Secret of the same tenant'),
  key: secretKeyField.describe('Which of its values'),
  env: envNameField.optional().describe('Told in this environment variable'),
  file: placeField.optional().describe('Told in this file; on local this lies below the folder that GANTRY_ROOT names'),
})

export type SecretRefSpec = z.output<typeof secretRefSpec>
