/** What must be ready of the store: that objects can be read, and that changes are told. */
import type { Store, SystemScope } from '@gantry/store'
import type { ReadyCheck } from './readiness.ts'

export function storeReady(store: Store, scope: SystemScope): ReadyCheck {
  // Nothing can be called this, and what is absent is never remembered: the database itself is asked.
  return async (call) => void (await store.read(scope, { kind: 'Tenant', name: '-' }, call))
}

/** A watch that begins says at once how far it has come; one that cannot begin says nothing. */
export function feedReady(store: Store, scope: SystemScope): ReadyCheck {
  return async (call) => {
    const changes = store.changes(scope, { kind: 'Tenant' }, call)[Symbol.asyncIterator]()
    try {
      await changes.next()
    } finally {
      await changes.return?.()
    }
  }
}
