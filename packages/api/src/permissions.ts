/** Everything that can be allowed or not. An endpoint names one of these; a role is a list of them. */
import type { KindName, WrittenKindName } from '@gantry/core'

export const permissions = [
  'tenant:read',
  'tenant:write',
  'provider:read',
  'provider:write',
  'provider:choose',
  'quota:read',
  'workload:read',
  'workload:write',
  'workload:exec',
  'workload:forward',
  'route:read',
  'route:write',
  'release:read',
  'rollout:read',
  'instance:read',
  'secret:read',
  'secret:write',
  'secret:data',
  'token:read',
  'token:write',
  'audit:read',
  'audit:verify',
  'metrics:read',
  'backup:read',
] as const

export type Permission = (typeof permissions)[number]

/** What can be done to an object of any kind. */
export type Verb = 'read' | 'write'

/** Holds the list to the kinds: one that is missing does not compile. What controllers make, nobody may write. */
export function kindPermission(kind: KindName, verb: 'read'): Permission
export function kindPermission(kind: WrittenKindName, verb: Verb): Permission
export function kindPermission(kind: KindName, verb: Verb): Permission {
  return `${kind.toLowerCase() as Lowercase<WrittenKindName>}:${verb}`
}
