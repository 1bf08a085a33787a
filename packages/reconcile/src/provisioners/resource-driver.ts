/** How one object of an engine is read, written and removed. */
import type { Pass } from './provisioner.ts'

export type ObservedResource<T> = {
  readonly object: T
  /** The hash that came with the last apply of ours; undefined: never applied by us. */
  readonly hash: string | undefined
  /** Somebody changed what we had applied. Only where the driver can tell. */
  readonly drifted?: boolean
  /** Asked to go, and still there. */
  readonly deleting: boolean
}

/** Acts on `pass.cluster`, or where we are ourselves. Idempotent throughout. */
export interface ResourceDriver<T> {
  /** `undefined`: looked, and it is not there. Being unable to look throws `unavailable`. */
  read(id: string, pass: Pass): Promise<ObservedResource<T> | undefined>
  /** Makes the object as desired, whether it is there or not, and keeps the hash with it. */
  apply(id: string, desired: T, hash: string, pass: Pass): Promise<void>
  /** Asks it to go. It may stay for a while. Absent is success. */
  delete(id: string, pass: Pass): Promise<void>
}
