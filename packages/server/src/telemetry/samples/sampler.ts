/** Asks engines what workloads use, on a clock of its own, a few at a time: a slow engine delays figures and nothing else. */
import { type Call, type Clock, Fault, isFault, withDeadline } from '@gantry/core'
import type { Observed, Ref, Usage } from '@gantry/providers'
import type { Log } from '../../app/log.ts'
import type { EngineHub } from '../../engines/engine-hub.ts'
import { addUp } from './add-up.ts'
import { byReplica, type ReplicaFigures } from './by-replica.ts'
import { sampleEveryMs } from './ring-files.ts'
import type { Sample, SampleStore } from './sample-store.ts'

export type SamplerDeps = {
  readonly hub: Pick<EngineHub, 'engine' | 'subscribe' | 'all'>
  readonly samples: SampleStore
  readonly clock: Clock
  readonly log: Log
}

export type Seen = {
  readonly tenant: string
  readonly workload: string
  readonly uid: string
  readonly observed: readonly Observed[]
}

const atOnce = 8
const eachMs = 5000
const sweepEvery = 120

type Asked = { readonly provider: string; readonly ref: Ref; readonly observed: Observed }

export class Sampler {
  readonly #deps: SamplerDeps
  readonly #providers = new Set<string>()
  readonly #latest = new Map<string, Sample>()
  readonly #replicas = new Map<string, readonly ReplicaFigures[]>()
  readonly #stop = new AbortController()
  #leave: (() => void) | undefined
  #cancel: (() => void) | undefined
  #round: Promise<void> = Promise.resolve()
  #rounds = 0

  constructor(deps: SamplerDeps) {
    this.#deps = deps
  }

  /** To be called before the first engine is opened. */
  start(): void {
    this.#leave = this.#deps.hub.subscribe((provider) => this.#providers.add(provider))
    this.#arm()
  }

  async stop(): Promise<void> {
    this.#leave?.()
    this.#cancel?.()
    this.#stop.abort(new Fault('shutting_down', 'The server is stopping'))
    await this.#round
  }

  /** Every workload that is on an engine, as it was last seen there. */
  seen(): Seen[] {
    const found = new Map<string, Seen & { observed: Observed[] }>()
    for (const provider of this.#providers) {
      for (const observed of this.#deps.hub.all(provider)) {
        const { tenant, workload, uid } = observed.ref
        const entry = found.get(uid) ?? { tenant, workload, uid, observed: [] }
        entry.observed.push(observed)
        found.set(uid, entry)
      }
    }
    return [...found.values()]
  }

  /** The newest sample of a workload, unless it is too old to be called one. */
  latest(uid: string): Sample | undefined {
    const sample = this.#latest.get(uid)
    const isOld = sample && this.#deps.clock.now() - sample.at.getTime() > 3 * sampleEveryMs
    return isOld ? undefined : sample
  }

  /** The same by replica; `undefined` where that is not known. */
  replicas(uid: string): readonly ReplicaFigures[] | undefined {
    return this.latest(uid) && this.#replicas.get(uid)
  }

  /** One round over everything that runs. */
  async sample(call: Call): Promise<void> {
    const work = new Map<string, Asked[]>()
    for (const provider of this.#providers) {
      for (const observed of this.#deps.hub.all(provider)) {
        const { ref } = observed
        const asked = work.get(ref.uid) ?? []
        asked.push({ provider, ref, observed })
        work.set(ref.uid, asked)
      }
    }
    for (const known of [this.#latest, this.#replicas]) {
      for (const uid of known.keys()) if (!work.has(uid)) known.delete(uid)
    }
    const queue = work.values()
    const worker = async (): Promise<void> => {
      for (const asked of queue) {
        call.signal.throwIfAborted()
        await this.#one(asked, call)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  }

  async #one(asked: readonly Asked[], call: Call): Promise<void> {
    const [first] = asked
    if (!first) return
    const found: { usage: Usage; observed: Observed }[] = []
    for (const { provider, ref, observed } of asked) {
      const deadline = withDeadline(this.#deps.clock, eachMs, 'Asking what is used', call)
      try {
        const usage = await this.#deps.hub.engine(provider).usage?.(ref, deadline)
        if (usage) found.push({ usage, observed })
      } catch (error) {
        if (call.signal.aborted) throw error
        // Half of a workload is not a figure of it; that the engine cannot be reached is told elsewhere.
        if (isFault(error)) return
        throw error
      } finally {
        deadline.clear()
      }
    }
    const sample = addUp(found.map(({ usage }) => usage))
    if (!sample) return
    this.#latest.set(first.ref.uid, sample)
    const replicas = byReplica(found)
    if (replicas) this.#replicas.set(first.ref.uid, replicas)
    else this.#replicas.delete(first.ref.uid)
    await this.#deps.samples.keep(first.ref, sample)
  }

  #arm(): void {
    this.#cancel = this.#deps.clock.after(sampleEveryMs, () => {
      this.#round = this.#tick().finally(() => {
        if (!this.#stop.signal.aborted) this.#arm()
      })
    })
  }

  async #tick(): Promise<void> {
    try {
      await this.sample(this.#stop)
      this.#rounds += 1
      if (this.#rounds % sweepEvery === 0) await this.#deps.samples.sweep(this.#stop)
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#deps.log.warn('usage could not be kept', { error: String(error) })
    }
  }
}
