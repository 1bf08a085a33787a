/** The side of the hub that the provider controller holds: which engines there are. */
import type { Call, Fault } from '@gantry/core'
import type { Engine, Observed, Ref } from '@gantry/providers'
import type { EngineHub } from './engine-hub.ts'

/** An engine that was opened for a Provider, and how to let go of it. What runs on it goes on running. */
export type OpenEngine = {
  readonly engine: Engine
  readonly close?: (call: Call) => Promise<void>
}

export interface EngineKeeper extends EngineHub {
  /** Begins to watch an engine; one that was kept for this Provider before is let go first. */
  keep(provider: string, opened: OpenEngine, call: Call): Promise<void>

  /** There is such a Provider, but its engine could not be opened: everything on it is unknown, because of this. */
  refuse(provider: string, fault: Fault): void

  /** Lets go of the engine of a Provider that is no more. What never was is done. */
  drop(provider: string, call: Call): Promise<void>

  /** Puts what somebody looked up himself among what is known, unless something newer is. */
  learn(provider: string, ref: Ref, observed: Observed | undefined, at: Date): void

  /** Lets go of all of them. Twice is harmless. */
  close(call: Call): Promise<void>
}
