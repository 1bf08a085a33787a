/**
 * The points that a server passes on its way: each with a name that says what happens there, and how often it did. Told
 * one of them beforehand, it is where somebody dies.
 */

export type Aim = {
  readonly point: string
  /** Who is sent what there. */
  readonly pid: number
  readonly signal: NodeJS.Signals
}

export type Passing = {
  /**
   * Something was done here, so that it is a point of its own however often it happens. Otherwise it is one only if something
   * has changed since it was passed before: who looks again and again is not somewhere else each time.
   */
  readonly isStep: boolean
  /** Whoever looks again from now on may find it different. */
  readonly changes: boolean
  /** The second time is like the first. */
  readonly isOnce?: boolean
}

export class Trail {
  readonly #hitAt: (aim: Aim) => void
  readonly #now: () => number
  readonly #counts = new Map<string, { readonly effects: number; readonly times: number }>()
  #passed: string[] = []
  #effects = 0
  #aim: Aim | undefined
  #hit = false
  #lastAt = 0

  constructor(hitAt: (aim: Aim) => void, now: () => number) {
    this.#hitAt = hitAt
    this.#now = now
  }

  /** Forgets what was, and begins to count anew. */
  begin(aim: Aim | undefined): void {
    this.#counts.clear()
    this.#passed = []
    this.#effects = 0
    this.#aim = aim
    this.#hit = false
    this.#lastAt = this.#now()
  }

  pass(name: string, { isStep, changes, isOnce = false }: Passing): void {
    const known = this.#counts.get(name)
    if (changes) this.#effects += 1
    if (known && (isOnce || (!isStep && known.effects === this.#effects))) return
    const times = (known?.times ?? 0) + 1
    this.#counts.set(name, { effects: this.#effects, times })
    const point = `${name} #${times}`
    this.#passed.push(point)
    this.#lastAt = this.#now()
    if (point !== this.#aim?.point || this.#hit) return
    this.#hit = true
    this.#hitAt(this.#aim)
  }

  report(): { readonly passed: readonly string[]; readonly hit: boolean; readonly quietMs: number } {
    return { passed: this.#passed, hit: this.#hit, quietMs: this.#now() - this.#lastAt }
  }
}
