/** All that is ours on one engine, for an engine whose replicas we tend ourselves: what is known of it, and who is told. */
import type { Call, Clock, Fault } from '@gantry/core'
import type { Observed } from '../observed.ts'
import type { Ref } from '../ref.ts'

export type SiteEvent =
  | { readonly type: 'changed'; readonly ref: Ref }
  | { readonly type: 'gone'; readonly ref: Ref }
  | { readonly type: 'lost'; readonly fault: Fault }
  /** Everything was looked at again. */
  | { readonly type: 'found' }

export interface TendedSite {
  readonly clock: Clock
  /** Why nothing new is heard; `undefined`: what is here is up to date. */
  readonly lost: Fault | undefined
  /** Told from now on, until what it answers is called. */
  listen(listener: (event: SiteEvent) => void): () => void
  /** As it was last seen; `undefined`: nothing of it is here. */
  observed(ref: Ref): Observed | undefined
  all(): Observed[]
  /** Looks at everything that is ours, now. Throws `unavailable` where the engine cannot be asked. */
  refresh(call: Call): Promise<void>
}
