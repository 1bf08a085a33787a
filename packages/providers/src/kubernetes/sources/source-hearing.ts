/** What is heard of a cluster about the workloads of one kind of source: from when somebody first asks until it is closed. */
import { type Call, type Clock, deferred, Fault, isFault, orAbort } from '@gantry/core'
import { keepFollowing } from '../../tended/following.ts'
import { Heard } from '../../tended/heard.ts'
import type { Heartbeat } from '../../tended/heartbeat.ts'
import { Telling } from '../../tended/telling.ts'
import type { KubernetesApi } from '../api/api.ts'
import { followTogether } from '../cluster/follow-together.ts'

export type HearingParts = {
  readonly api: KubernetesApi
  readonly clock: Clock
  /** Begins all watches. `found`: all was listed; answers whether it was lost until now. */
  readonly watch: (found: () => boolean, beat: Call) => readonly Promise<void>[]
}

export class SourceHearing {
  readonly telling: Telling
  readonly #parts: HearingParts
  readonly #heard: Heard
  readonly #over = new AbortController()
  readonly #tried = deferred<void>()
  #following: Promise<void> | undefined
  #beat: Heartbeat | undefined

  constructor(parts: HearingParts) {
    this.#parts = parts
    this.telling = new Telling(parts.clock)
    this.#heard = new Heard('Kubernetes', this.telling)
  }

  get lost(): Fault | undefined {
    return this.#heard.lost
  }

  /** Ends with the close. */
  get life(): Call {
    return this.#over
  }

  /** Begins to hear, and waits for the first word. */
  async refresh(call: Call): Promise<void> {
    call.signal.throwIfAborted()
    this.#following ??= keepFollowing({
      clock: this.#parts.clock,
      life: this.life,
      follow: (heard) => this.#follow(heard),
      lost: (fault) => {
        this.#heard.lose(fault)
        this.#tried.resolve()
      },
    })
    await orAbort(this.#tried.promise, call)
    if (this.lost) throw this.lost
  }

  /** What we do not understand is as good as out of reach, until everything was listed again. */
  doubt(error: unknown): void {
    if (isFault(error) || this.life.signal.aborted) return
    this.#beat?.end(new Fault('bad_answer', `Kubernetes' answer was not understood: ${error}`, { cause: error }))
  }

  async close(reason: Error): Promise<void> {
    this.#over.abort(reason)
    this.telling.close()
    await this.#following
  }

  #follow(heard: () => void): Promise<void> {
    const found = (): boolean => {
      heard()
      this.#tried.resolve()
      return this.#heard.found()
    }
    const begin = (beat: Heartbeat): readonly Promise<void>[] => {
      this.#beat = beat
      return this.#parts.watch(found, beat)
    }
    return followTogether(this.#parts, begin, this.life)
  }
}
