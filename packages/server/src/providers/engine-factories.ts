/**
 * How the engine behind a Provider object comes to be. A server is started with one factory for each type that it knows;
 * which engines there really are is said by the Provider objects, and may change while it runs.
 */
import type { Call, Clock, ProviderSpec } from '@gantry/core'
import type { Engine, Leaving, SecretSource } from '@gantry/providers'

export type EngineWish = {
  /** Of the Provider object: several of one type live side by side. */
  readonly name: string
  /** How to reach it and where it is, as the Provider object says. */
  readonly spec: ProviderSpec
  /** The mark that everything of ours carries on an engine. */
  readonly installation: string
  readonly clock: Clock
  /** To be asked before a replica is taken away, by engines that do that themselves. */
  readonly leaving: Leaving
  /** What the Provider object only names: certificates. With another version of one, the engine is opened anew. */
  readonly secrets: SecretSource
}

/** An engine that was opened, and how to let go of it. What runs on it goes on running. */
export type OpenedEngine = {
  readonly engine: Engine
  /** How often it is asked whether it is well, and how long it may take to say so; left out: as it becomes a far one. */
  readonly health?: { readonly everyMs: number; readonly withinMs: number }
  readonly close?: (call: Call) => Promise<void>
}

/** Throws `unavailable` if it cannot be reached now, `invalid` if the Provider object can never work. */
export type EngineFactory = (wish: EngineWish, call: Call) => Promise<OpenedEngine>

/** By the type that a Provider object names in `spec.type`. */
export type EngineFactories = Readonly<Record<string, EngineFactory>>
