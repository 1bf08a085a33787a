export type {
  AuditDraft,
  AuditEffect,
  AuditEntry,
  AuditOutcome,
  AuditPage,
  AuditVerdict,
} from './audit/entry.ts'
export type { Command, CommandResult, Did, Draft, Required, UsageLimit, WriteContext, Written } from './command.ts'
export { type ManagedObjectsOptions, managedObjects } from './for-reconcile/managed-objects.ts'
export { sourceOf } from './for-reconcile/source.ts'
export { type Labels, matches, parseSelector, type Selector } from './list/selector.ts'
export { openStore, type StoreOptions } from './open.ts'
export { sameJson } from './same-json.ts'
export { type Scope, type SystemScope, systemScope, type TenantScope } from './scope.ts'
export { type RestoreOptions, restoreStore } from './snapshot/restore.ts'
export type { SnapshotRow } from './snapshot/row.ts'
export type {
  AuditQuery,
  Change,
  ChangesQuery,
  CompactRequest,
  ListQuery,
  Page,
  Store,
} from './store.ts'
export { storedText } from './stored-json.ts'
