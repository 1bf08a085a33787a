/** Counts for one route, slot or backend. Written to several times for every request, so it only adds. */
import { type Counts, type FailureReason, failureReasons, latencyBounds } from './figures.ts'

export class Counter {
  #requests = 0
  #inFlight = 0
  #latencySumMs = 0
  readonly #answers: [number, number, number, number, number] = [0, 0, 0, 0, 0]
  readonly #failures = Object.fromEntries(failureReasons.map((reason) => [reason, 0])) as Record<FailureReason, number>
  readonly #latency: number[] = new Array(latencyBounds.length + 1).fill(0)

  get inFlight(): number {
    return this.#inFlight
  }

  began(): void {
    this.#inFlight++
  }

  answered(status: number, tookMs: number): void {
    this.#over()
    const digit = (status / 100) | 0
    const at = digit >= 1 && digit <= 5 ? digit - 1 : 4
    this.#answers[at as 0]++
    let bucket = 0
    while (bucket < latencyBounds.length && tookMs > (latencyBounds[bucket] ?? 0)) bucket++
    this.#latency[bucket] = (this.#latency[bucket] ?? 0) + 1
    this.#latencySumMs += tookMs
  }

  failed(reason: FailureReason): void {
    this.#over()
    this.#failures[reason]++
  }

  read(): Counts {
    return {
      requests: this.#requests,
      answers: [...this.#answers],
      failures: { ...this.#failures },
      latency: [...this.#latency],
      latencySumMs: Math.round(this.#latencySumMs * 1000) / 1000,
      inFlight: this.#inFlight,
    }
  }

  #over(): void {
    this.#inFlight--
    this.#requests++
  }
}
