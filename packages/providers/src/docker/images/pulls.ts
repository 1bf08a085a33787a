/** The pulls of one engine: one for each image and login at a time, for all who want it, and for as long as somebody does. */
import { type Clock, Fault, isFault, sleep } from '@gantry/core'
import type { PullProgress } from '../api/types/images.ts'
import { type AttemptDeps, attemptPull, type PullTarget } from './attempt.ts'
import type { ImageFailure, ImageState } from './images.ts'
import { PullTally } from './progress.ts'
import { nextTry, type PullTrouble, troubleOf } from './trouble.ts'

/** Progress is told no more often. */
const betweenMs = 1_000

type Failure = ImageFailure & { readonly trouble: PullTrouble; readonly isTold: boolean }

type Pull = {
  readonly target: PullTarget
  readonly owners: Set<string>
  readonly since: Date
  running: AbortController | undefined
  message: string
  failures: number
  failure: Failure | undefined
}

export type PullsDeps = AttemptDeps & {
  /** Another state, or another message. */
  readonly changed: (owner: string) => void
  /** It is here, and gone from the pulls. */
  readonly arrived: (owner: string, key: string) => void
}

export class Pulls {
  readonly #deps: PullsDeps
  readonly #pulls = new Map<string, Pull>()
  readonly #work = new Set<Promise<void>>()
  #isClosed = false

  constructor(deps: PullsDeps) {
    this.#deps = deps
  }

  /** Wanted from now on; begins where nobody wanted it before, and again where it is time after a failure. */
  join(owner: string, key: string, target: PullTarget): void {
    if (this.#isClosed) throw new Fault('shutting_down', 'The engine is being let go; nothing is pulled any more')
    const pull = this.#pulls.get(key) ?? this.#add(key, target)
    const isNew = !pull.owners.has(owner)
    pull.owners.add(owner)
    const isDue = pull.failure === undefined || this.#clock.now() >= pull.failure.againAt.getTime()
    // Who comes anew may know that things have changed.
    if (pull.running === undefined && (isDue || isNew)) this.#begin(key, pull)
  }

  leave(owner: string, key: string): void {
    const pull = this.#pulls.get(key)
    if (!pull?.owners.delete(owner) || pull.owners.size > 0) return
    this.#pulls.delete(key)
    pull.running?.abort(new Fault('aborted', 'Nobody wants this image any more'))
  }

  /** Undefined where it is not wanted, or has arrived. */
  state(key: string): Exclude<ImageState, { state: 'here' }> | undefined {
    const pull = this.#pulls.get(key)
    if (!pull) return undefined
    const { message, since } = pull
    const told = pull.failure?.isTold ? imageFailure(pull.failure) : undefined
    if (told && pull.running === undefined) return { state: 'failed', ...told }
    return { state: 'pulling', message, since, ...(told && { failed: told }) }
  }

  /** Why the last try failed, also where it is not told yet. */
  trouble(key: string): PullTrouble | undefined {
    return this.#pulls.get(key)?.failure?.trouble
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { running } of this.#pulls.values()) running?.abort(new Fault('aborted', 'The engine was let go'))
    this.#pulls.clear()
    await Promise.all(this.#work)
  }

  get #clock(): Clock {
    return this.#deps.clock
  }

  #add(key: string, target: PullTarget): Pull {
    const since = new Date(this.#clock.now())
    const message = `pulling ${target.image}`
    const pull: Pull = {
      target,
      owners: new Set(),
      since,
      message,
      running: undefined,
      failures: 0,
      failure: undefined,
    }
    this.#pulls.set(key, pull)
    return pull
  }

  #begin(key: string, pull: Pull): void {
    const running = new AbortController()
    pull.running = running
    const work = this.#run(key, pull, running.signal).finally(() => this.#work.delete(work))
    this.#work.add(work)
    this.#tell(pull)
  }

  /** Throws nothing: what goes wrong is the state of the pull. */
  async #run(key: string, pull: Pull, signal: AbortSignal): Promise<void> {
    for (;;) {
      const outcome = await this.#attempt(pull, signal)
      if (signal.aborted) return
      if (outcome === 'arrived') return this.#arrived(key, pull)
      if (outcome === 'lost' || pull.failure?.isTold !== false) break
      this.#say(pull, `${pull.failure.message}; trying again`)
      await sleep(this.#clock, pull.failure.againAt.getTime() - this.#clock.now(), { signal }).catch(() => undefined)
      if (signal.aborted) return
    }
    pull.running = undefined
    this.#tell(pull)
  }

  #arrived(key: string, pull: Pull): void {
    this.#pulls.delete(key)
    for (const owner of pull.owners) this.#deps.arrived(owner, key)
    this.#tell(pull)
  }

  /** `lost`: nothing is known of the registry, since the engine is gone; it begins anew when that is asked again. */
  async #attempt(pull: Pull, signal: AbortSignal): Promise<'arrived' | 'failed' | 'lost'> {
    const tally = new PullTally()
    const show = (): void => this.#say(pull, `pulling ${pull.target.image}: ${tally.words()}`)
    let cancel: (() => void) | undefined
    const heard = (line: PullProgress): void => {
      tally.take(line)
      cancel ??= this.#clock.after(betweenMs, () => {
        cancel = undefined
        show()
      })
    }
    show()
    try {
      await attemptPull(pull.target, this.#deps, heard, { signal })
      return 'arrived'
    } catch (error) {
      if (isFault(error) && error.reason === 'engine_unreachable') return 'lost'
      if (!signal.aborted) this.#failed(pull, error)
      return 'failed'
    } finally {
      cancel?.()
    }
  }

  #failed(pull: Pull, error: unknown): void {
    const trouble = troubleOf(error)
    pull.failures += 1
    const { afterMs, isTold } = nextTry(trouble, pull.failures)
    const now = this.#clock.now()
    const reason = isFault(error) && error.reason === 'engine_full' ? 'engine_full' : 'image_pull_failed'
    const message = isFault(error) ? error.message : `Image ${pull.target.image} could not be pulled: ${String(error)}`
    pull.failure = { reason, message, trouble, isTold, at: new Date(now), againAt: new Date(now + afterMs) }
  }

  #say(pull: Pull, message: string): void {
    if (pull.message === message) return
    pull.message = message
    this.#tell(pull)
  }

  #tell({ owners }: Pull): void {
    for (const owner of owners) this.#deps.changed(owner)
  }
}

const imageFailure = ({ reason, message, at, againAt }: Failure): ImageFailure => ({ reason, message, at, againAt })
