import { z } from 'zod'
import { nameField, placeField } from '../fields.ts'

export const configFormats = ['json', 'yaml', 'env', 'text'] as const
export type ConfigFormat = (typeof configFormats)[number]

export const configFileSpec = z.strictObject({
  name: nameField.describe('What the file is called in plans and status'),
  path: placeField.describe('Where the service finds it; on local this lies below the folder that GANTRY_ROOT names'),
  format: z.enum(configFormats).default('text').describe('The content is parsed as this before it is accepted'),
  content: z
    .string()
    .max(1_048_576)
    .describe('The file itself; kept in the vault, and read back as a reference that may be sent again'),
  mode: z
    .string()
    .regex(/^0[0-7]{3}$/, 'must be four octal digits in quotes, e.g. "0444"')
    .default('0444')
    .describe('Its permissions'),
})

export type ConfigFileSpec = z.output<typeof configFileSpec>
