/** The store as a controller writes to it: finalizers and status, each write fenced. */
import type { GantryObject } from '@gantry/core'
import { type FencedCall, keyOf, type ManagedObjects } from '@gantry/reconcile'
import type { Command, WriteContext } from '../command.ts'
import type { Scope } from '../scope.ts'
import type { Store } from '../store.ts'

export type ManagedObjectsOptions = {
  /** The lease whose epoch fences the writes to this object (`shardLease`); left out: nothing is fenced. */
  readonly leaseOf?: (object: GantryObject) => string
}

export function managedObjects(store: Store, scope: Scope, options: ManagedObjectsOptions = {}): ManagedObjects {
  async function write(object: GantryObject, command: Command, call: FencedCall): Promise<GantryObject> {
    const { results } = await store.write(scope, [command], contextOf(object, call), call)
    return results[0]?.object ?? object
  }

  function contextOf(object: GantryObject, { fence }: FencedCall): WriteContext {
    const lease = options.leaseOf?.(object)
    return lease === undefined ? {} : { fence: { lease, epoch: fence } }
  }

  return {
    read: (key, call) => store.read(scope, key, call),
    addFinalizer: (object, finalizer, call) =>
      write(object, { op: 'addFinalizer', key: keyOf(object), finalizer, ifUid: object.metadata.uid }, call),
    async removeFinalizer(object, finalizer, call) {
      await write(object, { op: 'removeFinalizer', key: keyOf(object), finalizer, ifUid: object.metadata.uid }, call)
    },
    writeStatus: (object, status, call) =>
      write(object, { op: 'status', key: keyOf(object), status, ifVersion: object.metadata.resourceVersion }, call),
  }
}
