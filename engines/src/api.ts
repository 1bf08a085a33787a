/** What tests and benchmarks call: an engine by name, or the reason why there is none. */
import { randomUUID } from 'node:crypto'
import { type Call, Fault, isFault, systemClock } from '@gantry/core'
import type { RestartMode, Settings } from './engine.ts'
import { privateFolder, sharedFolder } from './folder.ts'
import type { Link } from './keeper/link.ts'
import type { Ask } from './keeper/protocol.ts'
import { reachEngine } from './keeper/reach.ts'
import { sponsorFrom } from './sponsor.ts'
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
  const answer = await share(name, call).catch((error: unknown): EngineMissing => {
    // That the rig itself cannot work here is one more reason why there is no engine.
    if (call.signal.aborted || !isFault(error, 'unavailable')) throw error
    return { state: 'missing', why: error.message }
  })
  if (answer.state === 'missing' && process.env.GANTRY_ENGINES === 'required') throw missing(name, answer.why)
  return answer
}

async function share<Name extends EngineName>(name: Name, call: Call): Promise<EngineAnswer<Name>> {
  const sponsor = sponsorFrom(process.env)
  const ask = { ask: 'use', ...(sponsor ? { sponsor } : {}) } as const
  const folder = sharedFolder(engines[name])
  const { outcome, link } = await reachEngine({ engine: name, kind: 'shared', folder, ask }, { ...call, clock })
  if (outcome.state === 'ready') {
    return { state: 'ready', address: outcome.address as AddressOf<Name>, release: link.close }
  }
  link.close()
  return outcome
}

/**
 * An engine for one caller alone, to be restarted and broken at will, with the settings that its file in this room names.
 * Throws `engine_unreachable` if it cannot be had.
 */
export async function startPrivate<Name extends EngineName>(
  name: Name,
  call: Call,
  settings: Settings = {},
): Promise<PrivateEngine<Name>> {
  const folder = privateFolder(engines[name], randomUUID().slice(0, 8))
  const wanted = { engine: name, kind: 'private', folder, settings, ask: { ask: 'use' } } as const
  const { outcome, link } = await reachEngine(wanted, { ...call, clock })
  if (outcome.state === 'missing') {
    link.close()
    throw missing(name, outcome.why)
  }
  return {
    address: outcome.address as AddressOf<Name>,
    restart: (mode, call) => command(link, name, { ask: 'restart', mode }, call),
    stop: (call) => command(link, name, { ask: 'stop' }, call).finally(link.close),
  }
}

const clock = systemClock

async function command(link: Link, name: string, ask: Ask, call: Call): Promise<void> {
  const answer = await link.ask(ask, call)
  if (answer.state === 'failed') throw new Fault('engine_refused', `Engine ${name} did not ${ask.ask}: ${answer.why}`)
}

function missing(name: string, why: string): Fault {
  return new Fault('engine_unreachable', `Engine ${name} is missing: ${why}`)
}
