/**
 * One pass over a Provider: its engine open in this process, asked whether it is well, and what came of that written down.
 * Every process opens every engine, because each works on instances of all; only the holder of the Provider writes.
 */

import {
  asFault,
  type Call,
  canonicalJson,
  Fault,
  isRetryable,
  type ObjectOf,
  orAbort,
  withDeadline,
} from '@gantry/core'
import { type Leaving, leaveAtOnce } from '@gantry/providers'
import { done, failed, keyOf, type Reconcile, type Result, type Run, shardLease, waiting } from '@gantry/reconcile'
import type { EngineKeeper } from '../../engines/engine-keeper.ts'
import type { EngineFactories } from '../../providers/engine-factories.ts'
import { namedSecrets } from '../../providers/named-secrets.ts'
import { secretSource } from '../../vault/secret-source.ts'
import type { ControllerDeps } from '../deps.ts'
import { secretRevision } from '../secret-revision.ts'
import { healthOf } from './health.ts'
import { type ProviderSeen, providerAgeFields, providerStatusOf } from './status.ts'

export type ProviderDeps = Omit<ControllerDeps, 'hub'> & {
  readonly hub: EngineKeeper
  readonly factories: EngineFactories
  /** Left out: nobody is asked before a replica goes. */
  readonly leavingFor?: (provider: string) => Leaving
  readonly timing?: Partial<ProviderTiming>
}

export type ProviderTiming = {
  /** Between two looks at an engine that is well … */
  readonly everyMs: number
  /** … and at one that is not. */
  readonly againMs: number
  /** How long an answer may take. */
  readonly withinMs: number
  /** How long it may take to open one; part of an engine may have to be started for it. */
  readonly openMs: number
}

export const providerTiming: ProviderTiming = { everyMs: 10_000, againMs: 2_000, withinMs: 5_000, openMs: 20_000 }

type Provider = ObjectOf<'Provider'>

export function reconcileProvider(deps: ProviderDeps): Reconcile {
  const { store, scope, hub, clock } = deps
  const secrets = secretSource(deps.vault)
  /** What each engine was opened for: another spec is another engine; and how it wants to be asked. */
  const opened = new Map<string, { readonly identity: string; readonly health: Partial<ProviderTiming> }>()
  const timingOf = (name: string): ProviderTiming => ({
    ...providerTiming,
    ...opened.get(name)?.health,
    ...deps.timing,
  })

  return async (key, run) => {
    const provider = (await store.read(scope, key, run)) as Provider | undefined
    if (!provider) {
      opened.delete(key.name)
      await hub.drop(key.name, run)
      return done()
    }
    const seen = await look(provider, run)
    await write(provider, seen, run)
    // Comes back when one of them changes, also from where it would wait for nothing else.
    return { ...next(seen, timingOf(key.name)), references: namedSecrets(provider.spec) }
  }

  async function look(provider: Provider, run: Run): Promise<ProviderSeen> {
    const { name } = provider.metadata
    const deadline = withDeadline(clock, timingOf(name).openMs, `Opening the engine of provider "${name}"`, run)
    try {
      await orAbort(open(provider, deadline), deadline)
    } catch (error) {
      run.signal.throwIfAborted()
      opened.delete(name)
      const fault = asFault(error)
      hub.refuse(name, fault)
      return { state: 'refused', fault }
    } finally {
      deadline.clear()
    }
    const engine = hub.engine(name)
    const health = await healthOf(engine, clock, timingOf(name).withinMs, run)
    if (!health.healthy && hub.view(name)?.state === 'seeing') hub.doubt(name, health.fault)
    return { state: 'open', type: engine.type, health, view: hub.view(name) }
  }

  async function open({ metadata: { name, uid }, spec }: Provider, call: Call): Promise<void> {
    const identity = canonicalJson({ uid, spec, secrets: await versionsOf(spec, call) })
    if (opened.get(name)?.identity === identity) return
    // The one before is let go first: two adapters must not work on one engine side by side.
    await hub.opening(name, call)
    const factory = deps.factories[spec.type]
    if (!factory) throw unknownType(spec.type, Object.keys(deps.factories))
    const { installation } = deps
    const wish = { name, spec, installation, clock, leaving: deps.leavingFor?.(name) ?? leaveAtOnce, secrets }
    const made = await factory(wish, call)
    if (call.signal.aborted) await made.close?.(call)
    call.signal.throwIfAborted()
    await hub.keep(name, made, call)
    opened.set(name, { identity, health: made.health ?? {} })
  }

  async function versionsOf(spec: Provider['spec'], call: Call): Promise<string[]> {
    const found = await Promise.all(namedSecrets(spec).map((key) => store.read(scope, key, call)))
    return found.map((secret) => (secret ? secretRevision(secret) : ''))
  }

  async function write(provider: Provider, seen: ProviderSeen, run: Run): Promise<void> {
    const { uid, resourceVersion } = provider.metadata
    const held = deps.ownership?.held(uid)
    if (deps.ownership && !held) return
    const status = providerStatusOf(provider, seen, clock.now())
    if (withoutAge(status) === withoutAge(provider.status)) return
    const fence = held ? { fence: { lease: shardLease(uid), epoch: held.fence } } : {}
    await store.write(scope, [{ op: 'status', key: keyOf(provider), status, ifVersion: resourceVersion }], fence, run)
  }

  /** Looked at again on its own clock, whatever happens; that is no wait that could get stuck. */
  function next(seen: ProviderSeen, timing: ProviderTiming): Result {
    // What can never be opened as it is written waits for a change; anything else is tried again, and soon.
    if (seen.state === 'refused' && !isRetryable(seen.fault)) return failed('', seen.fault)
    if (seen.state === 'refused') return again(timing.againMs)
    const isWell = seen.health.healthy && seen.view?.state === 'seeing'
    return again(isWell ? timing.everyMs : timing.againMs)
  }

  function again(retryAfterMs: number): Result {
    return waiting('', 'the next look', { retryAfterMs, stuckAfterMs: Number.POSITIVE_INFINITY })
  }
}

function unknownType(type: string, known: readonly string[]): Fault {
  const there = known.length === 0 ? 'none at all' : known.join(', ')
  return new Fault('field_unsupported', `This server has no engine of type "${type}"; it was started with ${there}`)
}

function withoutAge(status: Provider['status']): string {
  const age: readonly string[] = providerAgeFields
  return canonicalJson(Object.fromEntries(Object.entries(status).filter(([field]) => !age.includes(field))))
}
