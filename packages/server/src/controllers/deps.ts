/** What every controller of the server is made of. */
import type { Clock, Fault, GantryObject } from '@gantry/core'
import { type Feeds, type Ownership, type Run, shardLease } from '@gantry/reconcile'
import type { Store, SystemScope, WriteContext } from '@gantry/store'
import type { EngineHub } from '../engines/engine-hub.ts'
import type { EventRecorder } from '../events/recorder.ts'
import type { Vault } from '../vault/vault.ts'

export type ControllerDeps = {
  readonly store: Store
  readonly scope: SystemScope
  readonly clock: Clock
  /** From 0 up to 1: jitter. */
  readonly random: () => number
  readonly hub: EngineHub
  readonly vault: Vault
  /** The mark that everything of ours carries on engines. */
  readonly installation: string
  readonly events: Pick<EventRecorder, 'record'>
  /** Which objects are this process's; left out: all of them. */
  readonly ownership?: Ownership
  /** What controllers know of the same kinds, they know together; left out: each for itself. */
  readonly feeds?: Feeds
  readonly onTrouble: (fault: Fault) => void
}

/** Writes about an object, and about what is made for it, are refused once this process has lost its shard. */
export function fencing(
  { ownership }: Pick<ControllerDeps, 'ownership'>,
  { metadata }: Pick<GantryObject, 'metadata'>,
  { fence }: Pick<Run, 'fence'>,
): WriteContext {
  return ownership ? { fence: { lease: shardLease(metadata.uid), epoch: fence } } : {}
}
