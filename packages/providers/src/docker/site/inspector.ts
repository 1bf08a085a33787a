/** Looks at single containers. Answers that overtake each other are put in order: an older one never takes a newer one's place. */
import type { Call } from '@gantry/core'
import type { ContainersApi } from '../api/api.ts'
import { type ContainerSeen, seenOf } from './seen.ts'

/** So many at a time: more only wait for each other in the daemon. */
const atOnce = 16

export class Inspector {
  readonly #containers: Pick<ContainersApi, 'inspect'>
  readonly #take: (id: string, container: ContainerSeen | undefined) => void
  #asked = 0
  /** The question whose answer was taken last, by container. */
  readonly #answered = new Map<string, number>()

  constructor(
    containers: Pick<ContainersApi, 'inspect'>,
    take: (id: string, container: ContainerSeen | undefined) => void,
  ) {
    this.#containers = containers
    this.#take = take
  }

  async look(id: string, call: Call): Promise<void> {
    this.#asked += 1
    const question = this.#asked
    const found = await this.#containers.inspect(id, call)
    if ((this.#answered.get(id) ?? 0) > question) return
    if (found) this.#answered.set(id, question)
    else this.#answered.delete(id)
    this.#take(id, found && seenOf(found))
  }

  async lookAtAll(ids: readonly string[], call: Call): Promise<void> {
    const left = [...ids]
    const worker = async (): Promise<void> => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) await this.look(id, call)
    }
    await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, worker))
  }

  forget(id: string): void {
    this.#answered.delete(id)
  }
}
