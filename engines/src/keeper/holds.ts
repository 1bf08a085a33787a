/** Who still needs the engine. Knows no sockets and no processes, so that its rule can be read and tested by itself. */
import type { ProcessIdentity } from '../process-identity.ts'

export class Holds {
  readonly #users = new Set<object>()
  #sponsors: readonly ProcessIdentity[] = []
  #standing = false
  /** When the last hold went; a fresh keeper counts as just left, so that one nobody comes to ends as well. */
  #emptySince: number

  constructor(now: number) {
    this.#emptySince = now
  }

  get users(): number {
    return this.#users.size
  }

  get standing(): boolean {
    return this.#standing
  }

  add(user: object): void {
    this.#users.add(user)
  }

  remove(user: object, now: number): void {
    if (this.#users.delete(user) && this.empty) this.#emptySince = now
  }

  sponsor(by: ProcessIdentity): void {
    if (!this.#sponsors.some((one) => same(one, by))) this.#sponsors = [...this.#sponsors, by]
  }

  stand(): void {
    this.#standing = true
  }

  /** Drops the sponsors that `isGone`; a crash of theirs counts like their leaving. */
  dropSponsors(isGone: (sponsor: ProcessIdentity) => boolean, now: number): void {
    const left = this.#sponsors.filter((one) => !isGone(one))
    if (left.length === this.#sponsors.length) return
    this.#sponsors = left
    if (this.empty) this.#emptySince = now
  }

  get empty(): boolean {
    return this.#users.size === 0 && this.#sponsors.length === 0 && !this.#standing
  }

  /** How long nobody has needed it; 0 while somebody does. */
  emptyForMs(now: number): number {
    return this.empty ? now - this.#emptySince : 0
  }
}

export function same(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.started === b.started
}
