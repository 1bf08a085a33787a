/**
 * The requests that are under way. Each has one signal, which ends when its caller is gone, when the server stops, or when
 * it has taken too long. All may take equally long, so those that are begun stand in the order of their deadlines, and one
 * timer is enough for all of them.
 */
import { type Clock, Fault, onAbort } from '@gantry/core'

export type OpenRequestsOptions = {
  readonly clock: Clock
  readonly answerMs: number
  /** Ends with the server. */
  readonly stopping: AbortSignal
}

export class OpenRequests {
  readonly #options: OpenRequestsOptions
  readonly #begun = new Set<OpenRequest>()
  #cancel: (() => void) | undefined

  constructor(options: OpenRequestsOptions) {
    this.#options = options
    onAbort(options.stopping, () => {
      this.#cancel?.()
      for (const request of this.#begun) request.end(options.stopping.reason)
    })
  }

  open(): OpenRequest {
    return new OpenRequest(this)
  }

  /** For the request itself: from now on its time counts. */
  begun(request: OpenRequest): void {
    const { clock, answerMs, stopping } = this.#options
    if (stopping.aborted) {
      request.end(stopping.reason)
      return
    }
    request.until = clock.monotonic() + answerMs
    this.#begun.add(request)
    this.#cancel ??= clock.after(answerMs, () => this.#due())
  }

  /** For the request itself: its time counts no longer. The timer stays for the next one, and else runs out by itself. */
  rested(request: OpenRequest): void {
    this.#begun.delete(request)
  }

  #due(): void {
    const { clock, answerMs } = this.#options
    this.#cancel = undefined
    const now = clock.monotonic()
    for (const request of this.#begun) {
      if (request.until > now) {
        this.#cancel = clock.after(request.until - now, () => this.#due())
        return
      }
      request.end(new Fault('deadline_exceeded', `${request.what} took longer than ${answerMs} ms`))
    }
  }
}

export class OpenRequest {
  readonly #all: OpenRequests
  readonly #own = new AbortController()
  /** What is being done, for the fault that says that it took too long. */
  what = 'The request'
  /** When that is; the matter of `OpenRequests`. */
  until = 0

  constructor(all: OpenRequests) {
    this.#all = all
  }

  get signal(): AbortSignal {
    return this.#own.signal
  }

  /** It may take only so long from now, and no longer than the server runs. */
  begin(what: string): void {
    this.what = what
    this.#all.begun(this)
  }

  /** Waits for its caller, or lasts as long as the caller likes: neither counts. To be called in `finally`. */
  rest(): void {
    this.#all.rested(this)
  }

  /** Gives it up, for this reason. */
  end(reason: unknown): void {
    this.rest()
    this.#own.abort(reason)
  }
}
