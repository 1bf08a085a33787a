import { z } from 'zod'
import { defineKind } from '../define-kind.ts'
import { commonStatus } from '../envelope.ts'
import { routeFace } from './face.ts'
import { routeRules } from './rules.ts'
import { type RouteSpec, routeFields } from './spec.ts'

export const routeStatus = z.strictObject({ ...commonStatus })
export type RouteStatus = z.output<typeof routeStatus>

export const routeKind = defineKind({
  ...routeFace,
  spec: routeFields,
  status: routeStatus,
  complete: (written): RouteSpec => written,
  rules: routeRules,
  reserved: { 'spec.tls': 'certificates and domains come in a later version' },
})
