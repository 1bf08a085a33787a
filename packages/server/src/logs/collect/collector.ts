/** Follows every service of every replica that is seen on any engine, and lets a replica go only when its lines are kept. */
import type { Call, Clock } from '@gantry/core'
import {
  done,
  type Observation,
  type Observed,
  type Pass,
  type Ref,
  type Replica,
  refKey,
  waitFor,
} from '@gantry/providers'
import type { Log } from '../../app/log.ts'
import type { EngineHub } from '../../engines/engine-hub.ts'
import type { LogLimits } from '../limits.ts'
import type { LogStore } from '../log-store.ts'
import { writesLines } from '../source.ts'
import { Masks, type SecretsOf } from './masks.ts'
import { SourceFollower } from './source-follower.ts'

export type CollectorDeps = {
  readonly hub: Pick<EngineHub, 'engine' | 'subscribe'>
  readonly store: LogStore
  readonly secretsOf: SecretsOf
  readonly clock: Clock
  readonly log: Log
  readonly limits: LogLimits
}

/** After so long a replica may go although its last lines could not be read: nothing waits for ever on a log. */
const keepWithinMs = 30_000
const askAgainMs = 100

type Followed = { readonly follower: SourceFollower; askedAt?: number }
/** By engine id and service, of one instance on one engine: what is told is of an instance, and costs only its own. */
type Own = Map<string, Followed>

export class LogCollector {
  readonly #deps: CollectorDeps
  readonly #masks: Masks
  /** By instance, by provider. */
  readonly #followed = new Map<string, Map<string, Own>>()
  #unsubscribe: (() => void) | undefined
  #cancelSweep: (() => void) | undefined
  #isStopped = false

  constructor(deps: CollectorDeps) {
    this.#deps = deps
    this.#masks = new Masks(deps.secretsOf)
  }

  get count(): number {
    return this.#all().length
  }

  /** Begins with the next that is seen: to be called before the first engine is opened. */
  start(): void {
    this.#unsubscribe = this.#deps.hub.subscribe((provider, seen) => this.#see(provider, seen))
    this.#armSweep()
  }

  /** The half of `Leaving` that is about logs. */
  async logsKept(provider: string, ref: Ref, replica: Replica, _call: Call): Promise<Pass> {
    // Nobody reads any more, so nothing may be forgotten: the next server is asked again.
    if (this.#isStopped) return waitFor('the logs to be read by a server that runs', askAgainMs)
    if (!this.#deps.hub.engine(provider).logs) return done
    for (const service of Object.keys(replica.services).filter(writesLines)) {
      const entry = this.#follow(provider, ref, replica, service)
      if (entry.follower.readToEnd()) continue
      const now = this.#deps.clock.monotonic()
      entry.askedAt ??= now
      if (now - entry.askedAt < keepWithinMs) return waitFor(lateBecause(entry.follower), askAgainMs)
      const { tenant, workload } = ref
      const where = { tenant, workload, service, replica: replica.index, reason: entry.follower.failure?.reason }
      this.#deps.log.warn('a replica goes before its last lines were kept', where)
    }
    return done
  }

  /** Everything that was read is written. Twice is harmless. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unsubscribe?.()
    this.#cancelSweep?.()
    await Promise.all(this.#all().map(({ follower }) => follower.stop()))
  }

  #see(provider: string, seen: Observation): void {
    if (this.#isStopped) return
    switch (seen.type) {
      case 'snapshot': {
        const seenNow = new Map(seen.instances.map((instance) => [refKey(instance.ref), instance]))
        for (const [instance, own] of this.#followed.get(provider) ?? []) letGo(own, seenNow.get(instance))
        for (const instance of seen.instances) this.#seeInstance(provider, instance)
        return
      }
      case 'changed':
        letGo(this.#followed.get(provider)?.get(refKey(seen.instance.ref)), seen.instance)
        this.#seeInstance(provider, seen.instance)
        return
      case 'gone':
        letGo(this.#followed.get(provider)?.get(refKey(seen.ref)), undefined)
        return
      case 'blind':
        return
      default:
        seen satisfies never
    }
  }

  #seeInstance(provider: string, { ref, replicas }: Observed): void {
    for (const replica of replicas) {
      const services = Object.keys(replica.services).filter(writesLines)
      for (const service of services) this.#follow(provider, ref, replica, service)
    }
  }

  #follow(provider: string, ref: Ref, { engineId, index, release }: Replica, service: string): Followed {
    const instance = refKey(ref)
    const own = this.#of(provider, instance)
    const key = `${engineId}\n${service}`
    const known = own.get(key)
    if (known) return known
    const { hub, store, clock, log, limits } = this.#deps
    const mask = this.#masks.use(ref, release)
    const source = { ref, engineId, index, release, service }
    const engine = () => hub.engine(provider)
    const follower = new SourceFollower(source, { store, clock, log, limits, engine, automaton: mask.automaton })
    const entry: Followed = { follower }
    own.set(key, entry)
    void follower.done.then(() => {
      mask.release()
      own.delete(key)
      if (own.size === 0) this.#followed.get(provider)?.delete(instance)
    })
    return entry
  }

  #of(provider: string, instance: string): Own {
    const instances = this.#followed.get(provider) ?? new Map<string, Own>()
    this.#followed.set(provider, instances)
    const own: Own = instances.get(instance) ?? new Map<string, Followed>()
    instances.set(instance, own)
    return own
  }

  #all(): Followed[] {
    return [...this.#followed.values()].flatMap((instances) =>
      [...instances.values()].flatMap((own) => [...own.values()]),
    )
  }

  #armSweep(): void {
    const { clock, limits, store, log } = this.#deps
    this.#cancelSweep = clock.after(limits.sweepMs, () => {
      store
        .sweep({ signal: new AbortController().signal })
        .catch((error: unknown) => log.warn('old logs could not be removed', { error: String(error) }))
        .finally(() => {
          if (!this.#isStopped) this.#armSweep()
        })
    })
  }
}

/** Of those that are followed, the ones whose replica is no longer there. */
function letGo(own: Own | undefined, seen: Observed | undefined): void {
  for (const { follower } of own?.values() ?? []) {
    if (!seen?.replicas.some(({ engineId }) => engineId === follower.source.engineId)) follower.gone()
  }
}

function lateBecause({ source: { service, index }, failure }: SourceFollower): string {
  const why = failure ? ` (${failure.message})` : ''
  return `the logs of ${service} of replica ${index} to be read to their end${why}`
}
