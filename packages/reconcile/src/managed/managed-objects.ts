/** The few writes that the discipline of finalizers and status needs of a store. */
import type { Call, GantryObject, ObjectKey, Status } from '@gantry/core'

/** Writes carry the fence, so that a process which lost the shard cannot write. */
export type FencedCall = Call & { readonly fence: bigint }

/** Every write is about this very object, by its uid; a status besides about this version of it. Else: `conflict`. */
export interface ManagedObjects {
  /** `undefined`: looked, and it is not there. Being unable to look throws. */
  read(key: ObjectKey, call: Call): Promise<GantryObject | undefined>
  /** The object with our finalizer on it; those of others stay. */
  addFinalizer(object: GantryObject, finalizer: string, call: FencedCall): Promise<GantryObject>
  /** Without our finalizer; an object that is being deleted goes with its last one. */
  removeFinalizer(object: GantryObject, finalizer: string, call: FencedCall): Promise<void>
  writeStatus(object: GantryObject, status: Status, call: FencedCall): Promise<GantryObject>
}
