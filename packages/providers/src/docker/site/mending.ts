/** Puts back what a person has changed of a replica, and ends what runs out of order. */
import type { Call } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import { label } from '../../labels.ts'
import type { DockerApi } from '../api/api.ts'
import { holderName, serviceName } from '../plan/container.ts'
import type { LimitName } from '../plan/limits.ts'
import { mendOf } from './drift.ts'
import type { Handling } from './handling.ts'
import type { Renewals } from './renewals.ts'
import type { ReplicaState } from './replica-state.ts'
import { type ContainerSeen, lives, runs } from './seen.ts'

export type MendingParts = {
  readonly api: DockerApi
  readonly enforces: ReadonlySet<LimitName>
  readonly state: ReplicaState
  readonly handling: Handling
  readonly renewals: Renewals
  /** Whether anything runs of a container, past the daemon; false where that cannot be seen. */
  readonly stillRuns: (container: string) => boolean
}

/** So often the daemon may start a container again before that is looked into. */
const confusingRestarts = 2

/** What is cut off from its network has nobody to say goodbye to. */
const staleGraceSeconds = 1

export class Mending {
  readonly #parts: MendingParts
  /** Somebody has changed what cannot be put back. */
  beyond = false

  constructor(parts: MendingParts) {
    this.#parts = parts
  }

  async mend(desired: Desired, call: Call): Promise<void> {
    for (const container of this.#parts.state.containers) await this.#endConfusion(container, call)
    await this.#limits(desired, call)
    for (const container of this.#parts.state.containers) await this.#face(container, call)
    const { owner, network } = this.#parts.state
    if (runs(owner) && owner?.addresses[network] === undefined) this.beyond = true
    await this.#endStale(desired, call)
  }

  /**
   * A daemon of today that died in a start can take the end of the run before for that of the run that goes on: it starts the
   * container again and again, each time beside what runs of it, and never comes to an end. A holder does not end by itself.
   */
  async #endConfusion(container: ContainerSeen, call: Call): Promise<void> {
    const { state, renewals } = this.#parts
    if (container.status !== 'restarting' || container.restarts < confusingRestarts) return
    const isHolder = container.id === state.holder?.id
    if (isHolder || (await this.#runsUnseen(container, call))) await renewals.takeAway(container, call)
  }

  /** What merely crashes runs as well, whenever the daemon has started it since it was seen; and then it is seen so. */
  async #runsUnseen({ id, status, run, restarts }: ContainerSeen, call: Call): Promise<boolean> {
    const { state, handling, stillRuns } = this.#parts
    if (!stillRuns(id)) return false
    await handling.look(id, call)
    const now = state.containers.find((each) => each.id === id)
    return now?.status === status && now.run === run && now.restarts === restarts
  }

  async #limits({ services }: Desired, call: Call): Promise<void> {
    const { api, enforces, state, handling } = this.#parts
    for (const service of services) {
      const container = state.services.get(service.name)?.container
      const mend = container && mendOf(service, container, enforces)
      if (mend?.do === 'replace') this.beyond = true
      if (container && mend?.do === 'update') {
        await handling.changed(container.id, api.containers.update(container.id, mend.settings, call), call)
      }
    }
  }

  async #face({ id, name, status, labels }: ContainerSeen, call: Call): Promise<void> {
    const { api, state, handling } = this.#parts
    const isHolder = id === state.holder?.id
    const wanted = isHolder ? holderName(state.record) : serviceName(state.record, labels[label.service] ?? '')
    if (status === 'paused') await handling.changed(id, api.containers.unpause(id, call), call)
    if (name !== wanted) await handling.changed(id, api.containers.rename(id, wanted, call), call)
  }

  /** In a network that is no more, or out of order: ended, and then started again with the others. */
  async #endStale({ stopGraceSeconds }: Desired, call: Call): Promise<void> {
    const { api, state, handling } = this.#parts
    const stale = [...state.services.values()].filter((service) => service.stale && lives(service.container))
    await Promise.all(
      stale.map(async (service) => {
        const id = service.container?.id ?? ''
        service.asking = true
        try {
          const grace = Math.min(stopGraceSeconds, staleGraceSeconds)
          await handling.changed(id, api.containers.stop(id, grace, call), call)
        } finally {
          service.asking = false
        }
      }),
    )
    const { holder, isRevived } = state
    if (!isRevived || !holder) return
    // Younger than all that was in it, so that everything is to be started again, in its order.
    await handling.watched(holder.id, api.containers.restart(holder.id, 0, call), call)
    state.held()
  }
}
