/** What planning needs to know of what is wanted and of what is there. */
import type { Desired } from '../desired.ts'
import type { Replica } from '../observed.ts'

export type Wanted = Pick<Desired, 'type' | 'run' | 'replicas' | 'specHash' | 'update'>

export type ReplicaView = {
  readonly id: string
  readonly index: number
  readonly specHash: string
  /** On its way out: being routed out, stopping, or stopped. Never turned back. */
  readonly leaving: boolean
  readonly failed: 'again' | 'final' | undefined
  /** `undefined`: could not be told; then it may be serving, and cannot be counted on. */
  readonly ready: boolean | undefined
  readonly readySince: number | undefined
}

export function viewOf(replica: Replica, isLeaving: (engineId: string) => boolean, now: number): ReplicaView {
  const { engineId: id, index, specHash, terminating, failed, ready, readySince } = replica
  // An engine that cannot tell since when is taken to have just become ready: too long a wait, never too short a one.
  const since = ready ? (readySince?.getTime() ?? now) : undefined
  return { id, index, specHash, leaving: terminating || isLeaving(id), failed, ready, readySince: since }
}

/** How many shall be there. */
export const wantedCount = ({ run, replicas }: Pick<Wanted, 'run' | 'replicas'>): number =>
  run === 'stopped' ? 0 : replicas

/** 0: has been ready for long enough. Infinite: not ready, or nobody knows. */
export function untilAvailable({ update }: Wanted, { readySince }: ReplicaView, now: number): number {
  if (readySince === undefined) return Number.POSITIVE_INFINITY
  return Math.max(0, readySince + update.minReadySeconds * 1000 - now)
}

export const replicaCount = (count: number): string => (count === 1 ? '1 replica' : `${count} replicas`)
