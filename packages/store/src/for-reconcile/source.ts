/** A kind of objects as a controller follows it. */
import type { Source } from '@gantry/reconcile'
import type { Scope } from '../scope.ts'
import type { Store } from '../store.ts'

const made = new WeakMap<Store, WeakMap<Scope, Map<string, Source>>>()

/**
 * All objects of a kind that the scope may see; pages and changes are the store's own. The same one for the same store,
 * scope and kind, so that those who follow it can share what they know.
 */
export function sourceOf(store: Store, scope: Scope, kind: string): Source {
  const scopes = made.get(store) ?? new WeakMap<Scope, Map<string, Source>>()
  made.set(store, scopes)
  const kinds = scopes.get(scope) ?? new Map<string, Source>()
  scopes.set(scope, kinds)
  const known = kinds.get(kind)
  if (known) return known
  const source: Source = {
    list: (query, call) => store.list(scope, { kind, ...query }, call),
    changes: (since, call) => store.changes(scope, { kind, since }, call),
  }
  kinds.set(kind, source)
  return source
}
