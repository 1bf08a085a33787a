/** Starts containers, and takes away one that the daemon can never start again, for another to be made in its place. */
import { type Call, isFault } from '@gantry/core'
import type { DockerApi } from '../api/api.ts'
import type { Handling } from './handling.ts'
import { isHeldBelow } from './held-below.ts'
import type { ContainerSeen } from './seen.ts'

export type RenewalsParts = {
  readonly api: DockerApi
  readonly handling: Handling
  /** The one that its containers are in. */
  readonly network: string
  /** Another number whenever the daemon was out of reach. */
  readonly connection: () => number
  /** Ends what runs of a container that the daemon takes for one that does not. */
  readonly endOrphans: (container: string) => Promise<void>
}

/**
 * Only a death of the daemon leaves such a container, and another one has another id. So one that was just made and is
 * refused as well is not like that, whatever is said. Twice, as the death may be seen later than what came of it.
 */
const mostPerConnection = 2

export class Renewals {
  readonly #parts: RenewalsParts
  readonly #made = new Map<string, { readonly connection: number; readonly times: number }>()
  /** How many were taken away in all. */
  count = 0

  constructor(parts: RenewalsParts) {
    this.#parts = parts
  }

  /** False: it was taken away instead. */
  async start(container: ContainerSeen, call: Call): Promise<boolean> {
    const { api, handling } = this.#parts
    const { id } = container
    try {
      await handling.watched(id, api.containers.start(id, call), call)
      return true
    } catch (error) {
      if (!isFault(error) || !isHeldBelow(container, error) || !(await this.takeAway(container, call))) throw error
      return false
    }
  }

  /** With all that runs of it. False: this was done often enough. One that does not go yet is not counted. */
  async takeAway(container: ContainerSeen, call: Call): Promise<boolean> {
    const { api, handling, endOrphans, network } = this.#parts
    const { id, name } = container
    if (this.#times(container) >= mostPerConnection) return false
    await endOrphans(id)
    // Its unnamed volumes with it; those of the replica have names.
    await handling.changed(id, api.containers.remove(id, { force: true, volumes: true }, call), call)
    this.#renewed(container)
    // Until it was gone, the daemon may have tried to start it once more.
    await endOrphans(id)
    // A place in the network that nobody has any more would be kept from the next of this name.
    await api.networks.disconnect(network, name, call)
    return true
  }

  #times({ name }: ContainerSeen): number {
    const before = this.#made.get(name)
    return before?.connection === this.#parts.connection() ? before.times : 0
  }

  #renewed(container: ContainerSeen): void {
    this.count += 1
    this.#made.set(container.name, { connection: this.#parts.connection(), times: this.#times(container) + 1 })
  }
}
