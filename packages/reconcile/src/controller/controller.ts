/** Makes one kind true: watches, queues keys, runs the reconcile, and comes back as the results ask for. */
import { setMaxListeners } from 'node:events'
import { Fault, joinSignals, type ObjectKey } from '@gantry/core'
import { FairQueue } from '../queue/fair-queue.ts'
import { type Priority, priority } from '../queue/priority.ts'
import type { QueueMetrics } from '../queue/queue-metrics.ts'
import type { Again, WorkItem } from '../queue/work-queue.ts'
import { type StopOptions, type StopReport, Workers } from '../queue/workers.ts'
import type { Result } from '../results/result.ts'
import { type ControllerOptions, type ControllerSettings, controllerDefaults } from './controller-options.ts'
import type { Seen } from './feed.ts'
import { type FeedListener, Feeds, type Following } from './feeds.ts'
import { type KeyState, newKeyState } from './key-state.ts'
import { keyText, readinessOf, revisionOf, versionOf } from './object-facts.ts'
import { References } from './references.ts'
import { resyncForever } from './resync.ts'
import { defaultRetryPolicy, freshMemory, nextVisit, type RetryPolicy } from './retry-policy.ts'
import { runOnce } from './run-once.ts'
import { type Witness, Witnesses } from './witness.ts'

export class Controller {
  readonly #options: ControllerSettings
  readonly #policy: RetryPolicy
  readonly #queue: FairQueue
  readonly #workers: Workers
  readonly #states = new Map<string, KeyState>()
  readonly #references = new References()
  readonly #witnesses = new Witnesses()
  readonly #stop = new AbortController()
  readonly #feeds: Feeds
  readonly #following: Following[] = []
  #resyncing: Promise<void> | undefined
  #exists: (text: string) => boolean = () => true
  #ungain: (() => void) | undefined

  constructor(options: ControllerOptions) {
    this.#options = { ...controllerDefaults, ...options }
    this.#policy = { ...defaultRetryPolicy, ...options.policy }
    this.#feeds = options.feeds ?? new Feeds(this.#options)
    this.#queue = new FairQueue(options.clock)
    // Every run listens, so that many listeners are no leak here.
    setMaxListeners(0, this.#stop.signal)
    this.#workers = new Workers({
      queue: this.#queue,
      clock: options.clock,
      count: this.#options.workers,
      handle: (item) => this.#handle(item),
      onBug: (error, item) =>
        this.#options.onTrouble(
          new Fault('unexpected', `${options.name} could not end its run of ${item.key}`, { cause: error }),
        ),
    })
  }

  /** Starts following the sources and running keys. Whatever fails from here on is tried again or told as trouble. */
  start(): void {
    const { source, owned = [], watched = [], ownership, revision = revisionOf } = this.#options
    const own = this.#follow(source, {
      revision,
      onChange: (seen, { listed }) => this.#changed(seen, listed),
      onGone: (seen) => this.#gone(seen),
    })
    this.#exists = (text) => own.seen.has(text)
    const childChanged = (seen: Seen): void => this.#childChanged(seen)
    for (const children of owned)
      this.#follow(children, { revision: versionOf, onChange: childChanged, onGone: childChanged })
    const referenceChanged = ({ text }: Seen): void => this.#referenceChanged(text)
    for (const { source: referenced, revision: counts = readinessOf } of watched)
      this.#follow(referenced, { revision: counts, onChange: referenceChanged, onGone: referenceChanged })
    this.#ungain = ownership?.onGained((gained) => this.revisit((_, uid) => gained(uid)))
    const resync = { ...this.#options, feed: own, add: (seen: Seen, delayMs: number) => this.#resync(seen, delayMs) }
    this.#resyncing = resyncForever(resync, this.#stop.signal)
    this.#workers.start()
  }

  /** Stops watching and taking keys, ends the signals of what runs, waits for it, and says how that went. */
  async stop(options: StopOptions, call: { readonly signal: AbortSignal }): Promise<StopReport> {
    if (!options.finishQueued) void this.#unfollow()
    try {
      return await this.#workers.stop(options, call)
    } finally {
      await this.#unfollow()
    }
  }

  /**
   * Asks for a run now, for what no source tells: something was seen to change on an engine. Delays are kept: whether it
   * was progress, the run will tell, and what flaps must not look new each time.
   */
  add(key: ObjectKey, uid = ''): void {
    this.#queue.add(this.#state({ key, text: keyText(key), uid }).text, key.tenant, priority.change)
  }

  /** Whether there is anything to bring back under this key. */
  knows(key: ObjectKey): boolean {
    return this.#states.has(keyText(key))
  }

  /** Brings back every key that matches, parked or waiting, with its delays forgotten; says how many. */
  revisit(matches: (key: ObjectKey, uid: string) => boolean): number {
    const matching = [...this.#states.values()].filter((state) => matches(state.key, state.uid))
    for (const state of matching) this.#now(state, priority.retry)
    return matching.length
  }

  /** Keys that failed permanently and wait for a change. */
  parkedKeys(): ObjectKey[] {
    return [...this.#states.values()].filter((state) => state.last === 'parked').map((state) => state.key)
  }

  /** How many keys it remembers; those of gone objects are forgotten. */
  get known(): number {
    return this.#states.size
  }

  metrics(): QueueMetrics {
    return this.#queue.metrics()
  }

  #follow(source: ControllerOptions['source'], listener: FeedListener): Following {
    const following = this.#feeds.join(source, listener)
    this.#following.push(following)
    return following
  }

  async #unfollow(): Promise<void> {
    this.#stop.abort(new Fault('aborted', `${this.#options.name} is stopping`))
    this.#ungain?.()
    await Promise.all([this.#resyncing, ...this.#following.map((feed) => feed.leave())])
  }

  #changed(seen: Seen, listed: boolean): void {
    const state = this.#state(seen)
    state.uid = seen.uid
    this.#now(state, listed ? priority.resync : priority.change)
  }

  /** One last run, in which the reconcile sees for itself that the object is gone; then the key is forgotten. */
  #gone(seen: Seen): void {
    this.#now(this.#state(seen), priority.change)
  }

  #childChanged({ key: { tenant }, owners }: Seen): void {
    for (const { kind, name } of owners) {
      if (kind !== this.#options.kind) continue
      const owner = this.#states.get(keyText(tenant === undefined ? { kind, name } : { kind, tenant, name }))
      // Delays are kept: whether the child's change is progress, the run will tell.
      if (owner) this.#queue.add(owner.text, owner.key.tenant, priority.change)
    }
  }

  #referenceChanged(reference: string): void {
    this.#witnesses.tell(reference)
    for (const text of this.#references.to(reference)) {
      const state = this.#states.get(text)
      if (state) this.#now(state, priority.change)
    }
  }

  #resync(seen: Seen, delayMs: number): void {
    const { ownership } = this.#options
    if (ownership && !ownership.held(seen.uid)) return
    const { text, key } = this.#state(seen)
    this.#queue.addAfter(text, delayMs, key.tenant, priority.resync)
  }

  #now(state: KeyState, how: Priority): void {
    state.memory = freshMemory
    this.#queue.add(state.text, state.key.tenant, how)
  }

  #state({ key, text, uid }: Pick<Seen, 'key' | 'text' | 'uid'>): KeyState {
    const known = this.#states.get(text)
    if (known) return known
    const state = newKeyState(key, text, uid)
    this.#states.set(text, state)
    return state
  }

  /** Settles when the worker is free: at the end of the run, or when a run that does not stop is given up on. */
  #handle(item: WorkItem): Promise<void> {
    const { clock, runDeadlineMs, overdueGraceMs, onTrouble, name } = this.#options
    return new Promise((free, bug) => {
      const cancel = clock.after(runDeadlineMs + overdueGraceMs, () => {
        onTrouble(new Fault('stuck', `${name}: the run of ${item.key} does not stop; its key waits until it does`))
        free()
      })
      this.#run(item)
        .finally(cancel)
        .then(
          (again) => this.#queue.done(item, again),
          (error: unknown) => {
            this.#queue.done(item, { afterMs: this.#policy.faultMs[1], priority: priority.retry })
            throw error
          },
        )
        .then(free, bug)
    })
  }

  async #run(item: WorkItem): Promise<Again | undefined> {
    const state = this.#states.get(item.key)
    if (!state) return undefined
    const { clock, ownership, reconcile, runDeadlineMs, name } = this.#options
    const held = ownership?.held(state.uid)
    if (ownership && !held) return undefined
    const { waitingSince } = state.memory
    const waitedMs = waitingSince === undefined ? 0 : clock.monotonic() - waitingSince
    const what = `${name}: the run of ${item.key}`
    const stop = this.#stop.signal
    const { signal, clear } = held ? joinSignals(stop, held.signal) : { signal: stop, clear: () => undefined }
    const run = { signal, fence: held?.fence ?? 0n, waitedMs, stuckAfterMs: this.#policy.stuckAfterMs }
    const once = { clock, what, deadlineMs: runDeadlineMs, reconcile }
    const witness = this.#witnesses.begin()
    try {
      const result = await runOnce(once, state.key, run).finally(clear)
      return result && this.#conclude(state, result, witness)
    } finally {
      witness.end()
    }
  }

  #conclude(state: KeyState, result: Result, witness: Witness): Again | undefined {
    const { clock, random, onResult } = this.#options
    const { memory, visit } = nextVisit(state.memory, result, this.#policy, { now: clock.monotonic(), random })
    state.memory = memory
    state.last = visit.next
    const references = (result.references ?? []).map(keyText)
    this.#references.set(state.text, references)
    if (references.some((reference) => witness.saw(reference))) this.#now(state, priority.change)
    if (visit.next !== 'after' && !this.#exists(state.text)) this.#forget(state)
    onResult(state.key, result)
    return visit.next === 'after' ? { afterMs: visit.afterMs, priority: priority.retry } : undefined
  }

  #forget(state: KeyState): void {
    this.#states.delete(state.text)
    this.#references.set(state.text, [])
  }
}
