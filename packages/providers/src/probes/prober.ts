/** Looks at one run of one service again and again, and tells when its health changes. */
import { type Clock, type HealthCheckSpec, isFault, withDeadline } from '@gantry/core'
import { type Finding, type Look, unwell } from './look.ts'
import { afterLook, type Health, healthMessage, isReady, nextLookMs, startingHealth, unknownHealth } from './state.ts'

export type ProberParts = {
  readonly check: HealthCheckSpec
  readonly look: Look
  readonly clock: Clock
  /** From 0 up to 1. */
  readonly random: () => number
  /** When the process started, and whether anybody has looked at it since. */
  readonly startedAt: number
  readonly adopted: boolean
  /** Told after a look that changed what is shown. */
  readonly onChange: () => void
  /** Told once, when it turns out to be failing. */
  readonly onFailing: () => void
}

export class Prober {
  readonly #parts: ProberParts
  readonly #over = new AbortController()
  #health: Health
  #readySince: number | undefined
  #failingSince: number | undefined
  #everReady = false
  /** The message as it was after the look before. */
  #told: string | undefined
  #cancel: () => void = () => undefined

  constructor(parts: ProberParts) {
    this.#parts = parts
    this.#health = parts.adopted ? unknownHealth : startingHealth
    void this.#look()
  }

  get ready(): boolean | undefined {
    return isReady(this.#health)
  }

  /** Since when it is seen to fail, by the wall clock. */
  get failingSince(): number | undefined {
    return this.#failingSince
  }

  get everReady(): boolean {
    return this.#everReady
  }

  /** Since when it is ready without a break, by the wall clock. */
  get readySince(): number | undefined {
    return this.#readySince
  }

  get message(): string | undefined {
    const { check, clock, startedAt } = this.#parts
    return healthMessage(this.#health, check, this.#everReady, clock.now() - startedAt)
  }

  stop(): void {
    this.#cancel()
    this.#over.abort(new Error('it is no longer looked at'))
  }

  async #look(): Promise<void> {
    const { check, clock, random } = this.#parts
    const finding = await this.#find()
    if (finding === undefined) return
    this.#note(finding)
    this.#cancel = clock.after(nextLookMs(this.#health, check, random()), () => void this.#look())
  }

  /** `undefined`: nobody wants to know any more. */
  async #find(): Promise<Finding | undefined> {
    const { check, clock, look } = this.#parts
    const deadline = withDeadline(clock, check.timeoutSeconds * 1000, 'The look', this.#over)
    try {
      return await look(deadline)
    } catch (error) {
      if (this.#over.signal.aborted) return undefined
      if (deadline.passed()) return unwell(`no answer within ${check.timeoutSeconds} s`)
      return unwell(isFault(error) ? error.message : String(error))
    } finally {
      deadline.clear()
    }
  }

  #note(finding: Finding): void {
    const { check, clock, startedAt, onChange, onFailing } = this.#parts
    const before = this.#health
    this.#health = afterLook(before, finding, check, clock.now() - startedAt)
    const changed = before.phase !== this.#health.phase
    if (changed && this.ready) {
      this.#readySince = clock.now()
      this.#everReady = true
    }
    if (!this.ready) this.#readySince = undefined
    const failing = this.#health.phase === 'failing'
    if (!failing) this.#failingSince = undefined
    else if (changed) this.#failingSince = clock.now()
    const { message } = this
    if (changed || message !== this.#told) onChange()
    this.#told = message
    if (changed && failing) onFailing()
  }
}
