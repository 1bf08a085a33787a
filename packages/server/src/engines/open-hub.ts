/** The hub in memory: a lookout for each engine that is kept, and the reason for each that could not be opened. */
import { type Clock, Fault, onAbort } from '@gantry/core'
import type { Engine, Observation } from '@gantry/providers'
import type { OpenedEngine } from '../providers/engine-factories.ts'
import type { View } from './engine-hub.ts'
import type { EngineKeeper } from './engine-keeper.ts'
import { Lookout } from './lookout.ts'
import { whileSeen } from './while-seen.ts'

type Kept = { readonly opened: OpenedEngine; readonly engine: Engine; readonly lookout: Lookout }
type Refused = { readonly fault: Fault; readonly since: Date }

export function openHub(clock: Clock): EngineKeeper {
  const kept = new Map<string, Kept>()
  const refused = new Map<string, Refused>()
  /** Nobody has looked yet, and why not. */
  const opening = new Map<string, Refused>()
  const listeners = new Set<(provider: string, seen: Observation) => void>()

  const tell = (provider: string, seen: Observation): void => {
    for (const listener of listeners) listener(provider, seen)
  }
  const noProvider = (provider: string): Fault =>
    new Fault('provider_not_found', `There is no provider "${provider}"; make one, or name another`)

  const whyNot = (provider: string): Refused | undefined => refused.get(provider) ?? opening.get(provider)
  const viewOf = (provider: string): View | undefined => {
    const why = whyNot(provider)
    return kept.get(provider)?.lookout.view ?? (why && { state: 'blind', ...why })
  }
  const isLooked = (provider: string): boolean =>
    refused.has(provider) || kept.get(provider)?.lookout.hasLooked === true
  const letGo: EngineKeeper['drop'] = async (provider, call) => {
    refused.delete(provider)
    const was = kept.get(provider)
    if (!was) return
    kept.delete(provider)
    await was.lookout.close()
    await was.opened.close?.(call)
  }

  return {
    engine(provider) {
      const found = kept.get(provider)
      if (found) return found.engine
      throw whyNot(provider)?.fault ?? noProvider(provider)
    },
    sight(provider, ref) {
      const found = kept.get(provider)
      if (found) return found.lookout.sight(ref)
      const why = whyNot(provider) ?? { fault: noProvider(provider), since: new Date(clock.now()) }
      return { state: 'blind', ...why, last: undefined }
    },
    all: (provider) => kept.get(provider)?.lookout.all ?? [],
    view: viewOf,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    async opening(provider, call) {
      const before = viewOf(provider)
      await letGo(provider, call)
      const fault = new Fault('engine_unreachable', `The engine of provider "${provider}" is being opened`)
      const now = { fault, since: new Date(clock.now()) }
      opening.set(provider, before?.state === 'blind' ? { fault: before.fault, since: before.since } : now)
    },
    async keep(provider, opened, call) {
      await letGo(provider, call)
      opening.delete(provider)
      const options = { provider, engine: opened.engine, clock, tell: (seen: Observation) => tell(provider, seen) }
      const lookout = new Lookout(options)
      const engine = whileSeen(opened.engine, clock, lookout)
      kept.set(provider, { opened, engine, lookout })
    },
    refuse(provider, fault) {
      const since = whyNot(provider)?.since ?? new Date(clock.now())
      opening.delete(provider)
      refused.set(provider, { fault, since })
      tell(provider, { type: 'blind', fault, at: since })
    },
    doubt: (provider, fault) => kept.get(provider)?.lookout.doubt(fault),
    async drop(provider, call) {
      opening.delete(provider)
      await letGo(provider, call)
    },
    looked(providers, { signal }) {
      const left = (): string[] => providers.filter((provider) => !isLooked(provider))
      return new Promise((resolve, reject) => {
        if (left().length === 0) return resolve()
        const leave = onAbort(signal, () => {
          listeners.delete(listener)
          reject(signal.reason)
        })
        const listener = (): void => {
          if (left().length > 0) return
          listeners.delete(listener)
          leave()
          resolve()
        }
        listeners.add(listener)
      })
    },
    async close(call) {
      await Promise.all([...kept.keys()].map((provider) => letGo(provider, call)))
      refused.clear()
      opening.clear()
    },
  }
}
