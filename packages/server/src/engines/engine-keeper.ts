/** The side of the hub that the provider controller holds: which engines there are, and whether their word is trusted. */
import type { Call, Fault } from '@gantry/core'
import type { OpenedEngine } from '../providers/engine-factories.ts'
import type { EngineHub } from './engine-hub.ts'

export interface EngineKeeper extends EngineHub {
  /** There is such a Provider, and its engine is about to be opened: unknown until then. One that was kept is let go. */
  opening(provider: string, call: Call): Promise<void>

  /** Begins to watch an engine. One that was kept for this Provider before is let go first. */
  keep(provider: string, opened: OpenedEngine, call: Call): Promise<void>

  /** There is such a Provider, but its engine could not be opened: everything on it is unknown, because of this. */
  refuse(provider: string, fault: Fault): void

  /** The engine does not answer although its stream has said nothing: what it said is not trusted until it is all said anew. */
  doubt(provider: string, fault: Fault): void

  /** Lets go of the engine of a Provider that is no more. What never was is done. */
  drop(provider: string, call: Call): Promise<void>

  /** Resolves when each of these engines has been looked at once, or could not be. Those that come later are waited for. */
  looked(providers: readonly string[], call: Call): Promise<void>

  /** Lets go of all of them. Twice is harmless. */
  close(call: Call): Promise<void>
}
