/** What can be told of one object by looking at nothing but it. */
import type { FaultReason } from '@gantry/core'

export type Health = {
  /**
   * `completed`: it was meant to end, and did. `failed`: it will not get there by itself. `leaving`: somebody deletes it.
   */
  readonly state: 'ready' | 'waiting' | 'completed' | 'failed' | 'leaving'
  /** Reads well after the name of the object and a colon. */
  readonly message?: string
  /** Since when it is ready, where the object itself says so. */
  readonly since?: Date
  /** Why it will not get further without a change, in the cluster's own words. */
  readonly stall?: { readonly reason: FaultReason; readonly message: string }
  /** A program of it ends again and again. */
  readonly crashing?: true
}

export const ready = (since?: Date, message?: string): Health => ({
  state: 'ready',
  ...(since && { since }),
  ...(message && { message }),
})

export const waiting = (message: string): Health => ({ state: 'waiting', message })

export const failed = (message: string, reason: FaultReason = 'rollout_stalled'): Health => ({
  state: 'failed',
  message,
  stall: { reason, message },
})

/** It may still come, but not as things stand. */
export const stalled = (message: string, reason: FaultReason = 'rollout_stalled'): Health => ({
  state: 'waiting',
  message,
  stall: { reason, message },
})

/** Nothing more is waited for. */
export const isWell = ({ state }: Health): boolean => state === 'ready' || state === 'completed'
