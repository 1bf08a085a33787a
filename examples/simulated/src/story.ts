/** What happens in the demonstration: each chapter does something to the world, and waits for what the store says of it. */
import {
  type ConditionStatus,
  type Manifest,
  type ObjectKey,
  sleep,
  systemClock,
  type WorkloadSpec,
} from '@gantry/core'
import { crashService, type SimulatedWorld } from '@gantry/providers/simulated'
import type { Change, Command, Store } from '@gantry/store'
import { conditionOf, type Narrator } from './narrator.ts'
import { scope } from './plane.ts'

type Stage = {
  readonly store: Store
  readonly world: SimulatedWorld
  readonly narrator: Narrator
  readonly signal: AbortSignal
}

export class Story {
  readonly #stage: Stage

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async tell({ name, labels }: Manifest['metadata'], spec: WorkloadSpec): Promise<void> {
    const { world, narrator } = this.#stage
    const key: ObjectKey = { kind: 'Workload', tenant: 'default', name }
    const broken = withImage(spec, 'registry.example/hello:2.0')

    narrator.chapter('apply hello.yaml: two replicas, after a migration that has to end well')
    await this.#write({ op: 'create', draft: { key, spec, labels } }, becomes('True'))

    narrator.chapter('a replica crashes')
    await this.#during(() => crashOne(world), becomes('False'))
    await this.#during(() => undefined, becomes('True'))

    narrator.chapter('the engine cannot be reached: that is Unknown, neither green nor "nothing runs"')
    await this.#during(() => world.cut(), becomes('Unknown'))
    await sleep(systemClock, 1500, this.#stage)
    await this.#during(() => world.heal(), becomes('True'))

    narrator.chapter('deploy an image that does not exist: the old release goes on running, and the reason is said')
    await this.#write({ op: 'replace', draft: { key, spec: broken, labels } }, isDegraded)

    narrator.chapter('put the old spec back')
    await this.#write({ op: 'replace', draft: { key, spec, labels } }, becomes('True'))

    narrator.chapter('delete: gone only when it was seen to be gone')
    await this.#write({ op: 'delete', key }, (change) => change.type === 'gone')
  }

  async #write(command: Command, seen: (change: Change) => boolean): Promise<void> {
    const { store, narrator, signal } = this.#stage
    const { resourceVersion } = await store.write(scope, [command], {}, { signal })
    await narrator.until(resourceVersion, seen, { signal })
  }

  /** Follows from where the store is before something happens to the world, so that nothing of it is missed. */
  async #during(happen: () => void, seen: (change: Change) => boolean): Promise<void> {
    const { store, narrator, signal } = this.#stage
    const { resourceVersion } = await store.list(scope, { kind: 'Workload', limit: 1 }, { signal })
    happen()
    await narrator.until(resourceVersion, seen, { signal })
  }
}

function becomes(status: ConditionStatus): (change: Change) => boolean {
  return (change) => change.type === 'put' && conditionOf(change.object.status.conditions, 'Ready')?.status === status
}

function isDegraded(change: Change): boolean {
  return change.type === 'put' && conditionOf(change.object.status.conditions, 'Degraded')?.status === 'True'
}

function withImage(spec: WorkloadSpec, image: string): WorkloadSpec {
  const services = spec.services.map((service) => (service.name === 'web' ? { ...service, image } : service))
  return { ...spec, services }
}

function crashOne(world: SimulatedWorld): void {
  const [replica] = world.replicas.values()
  if (!replica) throw new Error('there is no replica to crash')
  crashService(world, replica.id, 'web', 137)
}
