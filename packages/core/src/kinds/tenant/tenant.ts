/** Who shares this installation, and how much of it each may have. */
import { z } from 'zod'
import { defineKind } from '../define-kind.ts'
import { commonStatus } from '../envelope.ts'
import { nameField, titleField } from '../fields.ts'
import { tenantFace } from './face.ts'
import { quotaFields } from './quota.ts'

export const tenantFields = z.strictObject({
  displayName: titleField.optional().describe('How people call it; left out: its name'),
  plan: nameField.optional().describe('What it was sold or given, for reports and bills; limits come from quota alone'),
  quota: quotaFields.prefault({}).describe('How much it may have; what is left out has no limit'),
})

export type TenantInput = z.input<typeof tenantFields>
export type TenantSpec = z.output<typeof tenantFields>

export const tenantStatus = z.strictObject({ ...commonStatus })
export type TenantStatus = z.output<typeof tenantStatus>

export const tenantKind = defineKind({
  ...tenantFace,
  spec: tenantFields,
  status: tenantStatus,
  complete: (written): TenantSpec => written,
})
