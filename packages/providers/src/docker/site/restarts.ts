/** How often a service was started again, in all and within the last hour, whoever did it. */
const hourMs = 3_600_000

export class Restarts {
  /** Before the daemon last began to count. */
  #earlier = 0
  #counted = 0
  #ofContainer = ''
  readonly #times: number[] = []

  get total(): number {
    return this.#earlier + this.#counted
  }

  /** The daemon's own count: it begins anew when somebody starts the container by hand. */
  see(container: string, count: number, at: number): void {
    const isNew = this.#ofContainer === '' || container === this.#ofContainer
    if (!isNew || count < this.#counted) this.#earlier += this.#counted
    const before = !isNew || count < this.#counted ? 0 : this.#counted
    for (let more = before; more < count; more += 1) this.#times.push(at)
    this.#ofContainer = container
    this.#counted = count
  }

  /** One that we did, or that somebody asked for. */
  add(at: number): void {
    this.#earlier += 1
    this.#times.push(at)
  }

  within(now: number): number {
    while ((this.#times[0] ?? now) <= now - hourMs) this.#times.shift()
    return this.#times.length
  }
}
