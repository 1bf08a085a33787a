/** Tokens: how programs and people prove who they are. The text of one is shown once, when it is made. */
import { nameField } from '@gantry/core'
import { z } from 'zod'
import { roles, tenantRoles } from '../identity.ts'
import { continueField } from './list.ts'

const expiresAt = z.iso.datetime().optional().describe('From then on it is refused; left out: never')

export const tenantTokenInput = z.strictObject({
  name: nameField.describe('Unique in the tenant; as audit shows it'),
  role: z.enum(tenantRoles).describe('What it may do in the tenant'),
  expiresAt,
})

export const systemTokenInput = z.strictObject({
  name: nameField.describe('Unique in the installation; as audit shows it'),
  expiresAt,
})

export const tokenSchema = z.looseObject({
  name: z.string(),
  role: z.enum(roles),
  tenant: z.string().optional().describe('Absent on those of the installation'),
  createdAt: z.string(),
  createdBy: z.string(),
  expiresAt: z.string().optional(),
  lastUsedAt: z.string().optional().describe('To the minute; absent: never'),
})

export const newTokenSchema = tokenSchema
  .extend({ token: z.string().describe('The token itself; it is kept as a hash only and cannot be shown again') })
  .describe('A token that was just made')

export const tokenPage = z.looseObject({ items: z.array(tokenSchema), continue: continueField })

export type Token = z.output<typeof tokenSchema>
export type NewToken = z.output<typeof newTokenSchema>
export type TokenPage = z.output<typeof tokenPage>
