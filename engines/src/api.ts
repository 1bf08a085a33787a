/** What tests and benchmarks call: an engine by name, or the reason why there is none. */
import { type Call, Fault } from '@gantry/core'
import type { RestartMode } from './engine.ts'
import { type AddressOf, type EngineName, engines } from './table.ts'

export type EngineReady<Name extends EngineName> = {
  readonly state: 'ready'
  readonly address: AddressOf<Name>
  /** Gives the engine back before the process ends; whoever else uses it keeps it. */
  readonly release: () => void
}

export type EngineMissing = { readonly state: 'missing'; readonly why: string }

export type EngineAnswer<Name extends EngineName> = EngineReady<Name> | EngineMissing

export type PrivateEngine<Name extends EngineName> = {
  readonly address: AddressOf<Name>
  /** Resolves when it serves again, with the same data at the same address. */
  restart(mode: RestartMode, call: Call): Promise<void>
  /** Resolves when it is gone with its data. Without it, the engine ends with the process that asked for it. */
  stop(call: Call): Promise<void>
}

/**
 * A running engine that all processes on this machine share: make a database (namespace, network …) of your own in it.
 * It lives at least as long as this process, whatever way that ends. With GANTRY_ENGINES=required a missing engine throws.
 */
export async function engine<Name extends EngineName>(name: Name, call: Call): Promise<EngineAnswer<Name>> {
  const why = await engines[name].probe(call)
  if (process.env['GANTRY_ENGINES'] === 'required')
    throw new Fault('engine_unreachable', `Engine ${name} is missing: ${why}`)
  return { state: 'missing', why: why ?? 'the rig is still being built' }
}

/** An engine for one caller alone, to be restarted and broken at will. Throws `engine_unreachable` if it cannot be had. */
export async function startPrivate<Name extends EngineName>(name: Name, call: Call): Promise<PrivateEngine<Name>> {
  const why = await engines[name].probe(call)
  throw new Fault('engine_unreachable', `Engine ${name} is missing: ${why}`)
}
