/**
 * What controllers, routes, logs and telemetry know of all engines: one open engine per Provider, and what was last seen
 * on it. Reads are from memory and never wait; what is seen is told as it comes.
 */
import type { Fault } from '@gantry/core'
import type { Engine, Observation, Observed, Ref } from '@gantry/providers'

/** What is known of one instance now. Being unable to look is never the same as nothing being there. */
export type Sight =
  /** As of `at`. `observed` is `undefined`: looked, and it is not there. */
  | { readonly state: 'seen'; readonly observed: Observed | undefined; readonly at: Date }
  /** Cannot be looked at since `since`, because of `fault`; `last` is how it was before, if it ever was seen. */
  | { readonly state: 'blind'; readonly fault: Fault; readonly since: Date; readonly last: Observed | undefined }

export interface EngineHub {
  /**
   * The open engine of a Provider. Throws `provider_not_found`, or `unavailable` with why it could not be opened. A call
   * of it that is under way when the engine is lost ends with the reason, so that nobody waits for one that hangs, and
   * none is begun before it is seen again.
   */
  engine(provider: string): Engine

  /** What is known of an instance. A Provider that is not there or not open is blindness too, with its own fault. */
  sight(provider: string, ref: Ref): Sight

  /** Everything of this installation that was last seen on an engine, also while it cannot be looked at. */
  all(provider: string): readonly Observed[]

  /** How an engine as a whole can be looked at now; `undefined`: there is no such Provider. */
  view(provider: string): View | undefined

  /**
   * Calls back on every observation of every engine, after `sight` and `all` show it. A listener must not throw and must
   * not wait. Returns what ends it.
   */
  subscribe(listener: (provider: string, seen: Observation) => void): () => void
}

/** Whether what is seen of an engine is current. */
export type View =
  | { readonly state: 'seeing'; readonly since: Date }
  | { readonly state: 'blind'; readonly fault: Fault; readonly since: Date }
