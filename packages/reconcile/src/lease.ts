/** Leases share work between server processes: whoever holds one may work, and its epoch fences what it writes. */
import type { Call } from '@gantry/core'

export type Lease = {
  readonly name: string
  readonly holder: string
  /** Grows each time the lease changes hands. Store writes carry it, so a holder that lost it cannot write. */
  readonly epoch: bigint
  readonly ttlMs: number
}

export interface LeaseStore {
  /** Takes the lease if it is free, has run out or is the holder's already; `undefined`: somebody else holds it. */
  acquire(name: string, holder: string, ttlMs: number, call: Call): Promise<Lease | undefined>
  /** Holds it for another TTL; `undefined`: it was lost meanwhile, and the holder must stop at once. */
  renew(lease: Lease, call: Call): Promise<Lease | undefined>
  /** Gives it back so that the next need not wait for the TTL. Giving back what was lost already is harmless. */
  release(lease: Lease, call: Call): Promise<void>
}
