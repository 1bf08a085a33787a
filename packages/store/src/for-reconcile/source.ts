/** A kind of objects as a controller follows it. */
import type { Source } from '@gantry/reconcile'
import type { Scope } from '../scope.ts'
import type { Store } from '../store.ts'

/** All objects of a kind that the scope may see; pages and changes are the store's own. */
export function sourceOf(store: Store, scope: Scope, kind: string): Source {
  return {
    list: (query, call) => store.list(scope, { kind, ...query }, call),
    changes: (since, call) => store.changes(scope, { kind, since }, call),
  }
}
