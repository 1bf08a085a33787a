/** What the schemas are called in the document. What has a name is written once and referred to. */
import { type KindName, kinds, serviceFields, type WrittenKindName, writtenKinds } from '@gantry/core'
import type { z } from 'zod'
import { auditEntrySchema, auditPage, auditVerdict } from '../schemas/audit.ts'
import { eventPage, eventSchema } from '../schemas/event.ts'
import { changeOf, pageOf } from '../schemas/list.ts'
import { anyObject, metadataSchema, objectKeySchema, objectOf } from '../schemas/object.ts'
import { applyInput, applyReply, planInput, planSchema, planStepSchema } from '../schemas/plan.ts'
import { problemSchema } from '../schemas/problem.ts'
import { secretData } from '../schemas/secret-data.ts'
import { healthSchema, readySchema, versionSchema, whoamiSchema } from '../schemas/server.ts'
import { newTokenSchema, systemTokenInput, tenantTokenInput, tokenPage, tokenSchema } from '../schemas/token.ts'
import { anyInput, inputOf, patchOf } from '../schemas/write.ts'

function ofKind(name: KindName): Record<string, z.ZodType> {
  return {
    [name]: objectOf(name),
    [`${name}Spec`]: kinds[name].spec,
    [`${name}Status`]: kinds[name].status,
    ...(name in writtenKinds && { [`${name}Input`]: inputOf(name as WrittenKindName) }),
    [`${name}Page`]: pageOf(name),
    [`${name}Change`]: changeOf(name),
  }
}

export const schemaNames: Readonly<Record<string, z.ZodType>> = {
  Problem: problemSchema,
  Metadata: metadataSchema,
  ObjectKey: objectKeySchema,
  Service: serviceFields,
  ...Object.assign({}, ...(Object.keys(kinds) as KindName[]).map(ofKind)),
  AnyObject: anyObject,
  AnyInput: anyInput,
  MergePatch: patchOf('Workload'),
  SecretData: secretData,
  Event: eventSchema,
  EventPage: eventPage,
  ApplyInput: applyInput,
  ApplyReply: applyReply,
  PlanInput: planInput,
  Plan: planSchema,
  PlanStep: planStepSchema,
  Token: tokenSchema,
  NewToken: newTokenSchema,
  TokenPage: tokenPage,
  TenantTokenInput: tenantTokenInput,
  SystemTokenInput: systemTokenInput,
  AuditEntry: auditEntrySchema,
  AuditPage: auditPage,
  AuditVerdict: auditVerdict,
  Whoami: whoamiSchema,
  Version: versionSchema,
  Health: healthSchema,
  Readiness: readySchema,
}
