/** The way down of a replica: main first, so that what it relies on is there to the end; what is left after the grace is killed. */
import { type Call, type Clock, isFault } from '@gantry/core'
import { stopRank } from '../../start-order.ts'
import type { DockerApi } from '../api/api.ts'
import { lives } from './seen.ts'
import type { ServiceMemory } from './service-memory.ts'

export type StoppingParts = {
  readonly api: DockerApi
  readonly clock: Clock
  readonly life: Call
  readonly doubt: (error: unknown) => void
  /** The daemon says that a container has ended. */
  readonly ended: (container: string) => void
}

export class Stopping {
  readonly #parts: StoppingParts
  /** By the monotonic clock: when what does not end by itself is made to. */
  #stopBy: number | undefined
  readonly #asked = new Map<string, number>()

  constructor(parts: StoppingParts) {
    this.#parts = parts
  }

  get begun(): boolean {
    return this.#stopBy !== undefined
  }

  begin(graceMs: number): void {
    const by = this.#parts.clock.monotonic() + graceMs
    this.#stopBy = Math.min(this.#stopBy ?? Number.POSITIVE_INFINITY, by)
  }

  /** Asks those whose turn it is to end, and waits for nobody. True: none runs any more. */
  step(services: Iterable<ServiceMemory>): boolean {
    const alive = [...services].filter(({ container }) => lives(container))
    const rank = Math.min(...alive.map(rankOf))
    for (const service of alive) if (rankOf(service) === rank) this.#ask(service)
    return alive.length === 0
  }

  #ask(service: ServiceMemory): void {
    const { api, clock, life, ended, doubt } = this.#parts
    const id = service.container?.id ?? ''
    const by = this.#stopBy ?? 0
    // Asked already, and not to be quicker than then.
    if ((this.#asked.get(id) ?? Number.POSITIVE_INFINITY) <= by) return
    this.#asked.set(id, by)
    service.asking = true
    const graceSeconds = Math.ceil(Math.max(0, by - clock.monotonic()) / 1000)
    api.containers.stop(id, graceSeconds, life).then(
      () => ended(id),
      (error: unknown) => {
        // Tried again by the next pass; one that is gone has ended.
        this.#asked.delete(id)
        if (isFault(error) && error.reason === 'engine_object_not_found') ended(id)
        else doubt(error)
      },
    )
  }
}

const rankOf = ({ record }: ServiceMemory): number => stopRank[record.role]
