/**
 * The closed list of reasons, one object per area, each reason with its kind. A new one only if a program must tell it
 * apart from those that are here.
 */
import type { FaultKind } from './fault.ts'

const general = {
  unexpected: 'internal',
  aborted: 'unavailable',
  deadline_exceeded: 'deadline',
  stuck: 'deadline',
} as const satisfies Record<string, FaultKind>

const input = {
  schema: 'invalid',
  bad_name: 'invalid',
  bad_quantity: 'invalid',
  bad_duration: 'invalid',
  secret_not_text: 'invalid',
  bad_document: 'invalid',
  document_too_large: 'invalid',
  dependency_cycle: 'invalid',
  unknown_service: 'invalid',
  unknown_kind: 'invalid',
  kind_not_writable: 'invalid',
  illegal_transition: 'conflict',
} as const satisfies Record<string, FaultKind>

const store = {
  object_not_found: 'not_found',
  already_exists: 'conflict',
  version_conflict: 'conflict',
  generation_conflict: 'conflict',
  being_deleted: 'conflict',
  tenant_not_empty: 'conflict',
  default_taken: 'conflict',
  version_expired: 'expired',
  continue_expired: 'expired',
  stale_fence: 'conflict',
  plan_moved: 'conflict',
  quota_exceeded: 'quota_exceeded',
  store_unavailable: 'unavailable',
  store_full: 'unavailable',
  store_closed: 'unavailable',
  store_locked: 'conflict',
  store_corrupt: 'unsupported',
  store_too_new: 'unsupported',
  audit_broken: 'internal',
} as const satisfies Record<string, FaultKind>

const provider = {
  provider_not_found: 'not_found',
  instance_not_found: 'not_found',
  release_not_found: 'not_found',
  release_of_another: 'conflict',
  service_not_found: 'not_found',
  replica_not_found: 'not_found',
  engine_unreachable: 'unavailable',
  engine_refused: 'unavailable',
  engine_full: 'unavailable',
  engine_busy: 'unavailable',
  engine_unauthenticated: 'unavailable',
  engine_forbidden: 'unavailable',
  engine_rejected: 'invalid',
  engine_taken: 'conflict',
  engine_object_not_found: 'not_found',
  engine_object_exists: 'conflict',
  engine_object_conflict: 'conflict',
  field_unsupported: 'unsupported',
  capability_missing: 'unsupported',
  foreign_object: 'conflict',
  init_failed: 'unavailable',
  image_pull_failed: 'unavailable',
  service_not_running: 'conflict',
  secret_not_found: 'not_found',
  rollout_stalled: 'unavailable',
} as const satisfies Record<string, FaultKind>

const provisioner = {
  application_not_found: 'not_found',
  version_not_found: 'not_found',
  lease_lost: 'unavailable',
} as const satisfies Record<string, FaultKind>

const api = {
  not_signed_in: 'unauthenticated',
  token_unknown: 'unauthenticated',
  token_expired: 'unauthenticated',
  permission_denied: 'forbidden',
  foreign_origin: 'forbidden',
  bad_request: 'invalid',
  route_not_found: 'not_found',
  too_many_requests: 'rate_limited',
  slow_reader: 'unavailable',
  logs_unwritable: 'unavailable',
  shutting_down: 'unavailable',
  server_unreachable: 'unavailable',
  bad_answer: 'unavailable',
} as const satisfies Record<string, FaultKind>

const edge = {
  edge_unreachable: 'unavailable',
  edge_refused: 'unavailable',
  stale_table: 'conflict',
  host_taken: 'conflict',
  port_in_use: 'conflict',
} as const satisfies Record<string, FaultKind>

const vault = {
  master_key_unusable: 'unsupported',
  master_key_unknown: 'unsupported',
  sealed_value_damaged: 'unsupported',
} as const satisfies Record<string, FaultKind>

const backup = {
  backup_damaged: 'invalid',
  backup_too_new: 'unsupported',
  store_not_empty: 'conflict',
} as const satisfies Record<string, FaultKind>

export const faultReasons = {
  ...general,
  ...input,
  ...store,
  ...provider,
  ...provisioner,
  ...api,
  ...edge,
  ...vault,
  ...backup,
} as const

export type FaultReason = keyof typeof faultReasons
