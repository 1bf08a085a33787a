/** Starts what may start, in its order, and again what has ended and is to run. */
import { type Call, type Clock, type Fault, isFault } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import { type Progress, startable } from '../../start-order.ts'
import type { DockerApi } from '../api/api.ts'
import { isToRestart, restartPolicy } from '../plan/restart.ts'
import { progressOf } from './facts.ts'
import type { Handling } from './handling.ts'
import { isPassing, refusalOf } from './refusal.ts'
import type { Renewals } from './renewals.ts'
import type { ReplicaState } from './replica-state.ts'
import { RetryTimes } from './retries.ts'
import { lives } from './seen.ts'
import type { ServiceMemory } from './service-memory.ts'

export type RunnerParts = {
  readonly api: DockerApi
  readonly clock: Clock
  readonly state: ReplicaState
  readonly handling: Handling
  readonly renewals: Renewals
  /** It is time for something. */
  readonly again: () => void
  /** The daemon says that something is not there that it needs. */
  readonly missing: () => void
}

/** How long after an end we start anew what the daemon leaves to us: twice as long each time. */
const restartMs = 100
const mostDoublings = 8

export class Runner {
  readonly #parts: RunnerParts
  readonly #retries: RetryTimes

  constructor(parts: RunnerParts) {
    this.#parts = parts
    this.#retries = new RetryTimes(parts.clock, parts.again)
  }

  async advance(desired: Desired, mending: boolean, call: Call): Promise<void> {
    await this.#settlePolicies(desired, call)
    await this.#restartEnded(mending, call)
    for (;;) {
      const next = this.#startableNow(desired)
      if (next.length === 0) return
      await Promise.all(next.map((service) => this.#start(service, call)))
    }
  }

  isTooSoon(service: string): boolean {
    return this.#retries.isTooSoon(service)
  }

  /** Said on the service it is about, and tried again, later each time. */
  couldNot(name: string, fault: Fault): false {
    if (fault.reason === 'engine_object_not_found') this.#parts.missing()
    const service = this.#parts.state.services.get(name)
    if (!service) throw fault
    this.#retries.failed(name)
    service.trouble(refusalOf(fault))
    return false
  }

  could(name: string): void {
    this.#retries.succeeded(name)
    this.#parts.state.services.get(name)?.trouble(undefined)
  }

  close(): void {
    this.#retries.close()
  }

  /** Whether the daemon restarts by itself, as it is now wanted and as far as it is still allowed. */
  async #settlePolicies({ restart }: Desired, call: Call): Promise<void> {
    const { api, clock, state, handling } = this.#parts
    await Promise.all(
      [...state.services.values()].map(async ({ container, record, restarts }) => {
        const RestartPolicy = restartPolicy(restart, record.role, restarts.within(clock.now()))
        if (!container || container.policy === RestartPolicy.Name) return
        await handling.changed(container.id, api.containers.update(container.id, { RestartPolicy }, call), call)
      }),
    )
  }

  /** What has ended and is to run again, and the daemon does not see to it. */
  async #restartEnded(mending: boolean, call: Call): Promise<void> {
    const { clock, state } = this.#parts
    for (const service of state.services.values()) {
      const dueAt = this.#dueAt(service, mending)
      if (dueAt === undefined) continue
      const left = dueAt - clock.now()
      if (left > 0) this.#retries.later(service.record.name, left)
      else if (await this.#start(service, call)) service.restarts.add(clock.now())
    }
  }

  /** When we start it again; `undefined`: not we, or not at all. */
  #dueAt(service: ServiceMemory, mending: boolean): number | undefined {
    const { container, record, stale, exhausted, restart } = service
    const hasEnded = container?.status === 'exited' && container.startedAt !== undefined && !stale
    if (!hasEnded || exhausted || !restart || record.role === 'init' || restart.policy === 'never') return undefined
    const byOthers = service.facts.lastExit?.byOthers === true
    if (!byOthers && !isToRestart(restart, record.role, container.exitCode)) return undefined
    // The daemon would have started it, had not somebody stopped it: that is mended by a pass.
    if (byOthers || container.policy !== 'no') return mending ? 0 : undefined
    const doublings = Math.min(mostDoublings, service.restarts.within(this.#parts.clock.now()))
    return (container.finishedAt ?? 0) + restartMs * 2 ** doublings
  }

  /** In the order to start them in. */
  #startableNow({ services }: Desired): ServiceMemory[] {
    const { state } = this.#parts
    const facts = new Map([...state.services].map(([name, service]) => [name, service.facts] as const))
    const progress = (name: string): Progress => {
      const each = facts.get(name)
      return each ? progressOf(each, [...facts.values()]) : 'failed'
    }
    const wanted = new Set(services.map(({ name }) => name))
    return startable(state.record.services, progress).flatMap((name) => {
      const service = state.services.get(name)
      if (!service?.container || !wanted.has(name) || lives(service.container) || this.isTooSoon(name)) return []
      return [service]
    })
  }

  async #start(service: ServiceMemory, call: Call): Promise<boolean> {
    const { state, renewals } = this.#parts
    const { container, record } = service
    const { name } = record
    if (!container || this.isTooSoon(name)) return false
    state.begun.add(name)
    try {
      if (!(await renewals.start(container, call))) return false
    } catch (error) {
      if (!isFault(error) || isPassing(error)) throw error
      return this.couldNot(name, error)
    }
    this.could(name)
    return true
  }
}
