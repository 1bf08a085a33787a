/**
 * Everything that outlives a table: backends with their connections, and the counters. A table that names the same route or
 * backend again goes on with what is there.
 */
import type { Clock } from '@gantry/core/base'
import { Counter } from '../figures/counter.ts'
import type { BackendFigures, EdgeFigures, RouteFigures } from '../figures/figures.ts'
import { trustedPeers } from '../proxy/trusted.ts'
import type { EdgeRoute, EdgeTable } from '../table.ts'
import { Backend } from '../upstream/backend.ts'
import type { ConnectionLimits } from '../upstream/connection.ts'
import type { LiveSlot } from './choice.ts'
import { type LiveRoute, type Routing, routingOf } from './routing.ts'

export class Fleet {
  readonly #limits: ConnectionLimits
  readonly #clock: Pick<Clock, 'monotonic'>
  #named: ReadonlyMap<string, Backend> = new Map()
  /** No table names them any more, but something is in flight there. */
  readonly #departing = new Map<string, Backend>()
  #routing: Routing = routingOf(0, [], () => false)
  unrouted = 0

  constructor(limits: ConnectionLimits, clock: Pick<Clock, 'monotonic'>) {
    this.#limits = limits
    this.#clock = clock
  }

  get routing(): Routing {
    return this.#routing
  }

  /** In force when it returns: the next request goes by it, and none goes by the one before. */
  apply(table: EdgeTable): void {
    const named = new Map<string, Backend>()
    for (const told of table.backends) {
      const backend = this.#known(told.id) ?? new Backend(told, this.#limits, this.#clock)
      backend.maxConnectionAgeMs = told.maxConnectionAgeMs
      if (backend.leaving !== told.leaving) backend.leaving = told.leaving
      named.set(told.id, backend)
      this.#departing.delete(told.id)
    }
    const before = new Map(this.#routing.routes.map((live) => [live.route.id, live]))
    const routes = table.routes.map((route) => liveRoute(route, named, before.get(route.id)))
    this.#routing = routingOf(table.number, routes, trustedPeers(table.trusted))
    for (const [id, backend] of this.#named) {
      if (named.has(id)) continue
      backend.leaving = true
      this.#departing.set(id, backend)
    }
    this.#named = named
    this.#forget()
  }

  inFlight(id: string): number {
    return this.#known(id)?.counts.inFlight ?? 0
  }

  leaving(): readonly Backend[] {
    return this.#all().filter(({ leaving }) => leaving)
  }

  figures(run: string, now: number): EdgeFigures {
    this.#forget()
    return {
      run,
      table: this.#routing.number,
      routes: this.#routing.routes.map(routeFigures),
      backends: this.#all().map((backend) => backendFigures(backend, now)),
      unrouted: this.unrouted,
    }
  }

  close(): void {
    for (const backend of this.#all()) backend.closeIdle()
  }

  #known(id: string): Backend | undefined {
    return this.#named.get(id) ?? this.#departing.get(id)
  }

  #all(): readonly Backend[] {
    return [...this.#named.values(), ...this.#departing.values()]
  }

  #forget(): void {
    for (const [id, backend] of this.#departing) if (backend.counts.inFlight === 0) this.#departing.delete(id)
  }
}

function liveRoute(route: EdgeRoute, backends: ReadonlyMap<string, Backend>, last?: LiveRoute): LiveRoute {
  // One of the same name that was deleted and made again is another one.
  const before = last?.route.workload.uid === route.workload.uid ? last : undefined
  const slots = route.slots.map(({ slot, weight, backends: ids }): LiveSlot => {
    const was = before?.slots.find((other) => other.slot === slot)
    const list = ids.flatMap((id) => backends.get(id) ?? [])
    const counts = was?.counts ?? new Counter()
    return { slot, weight, backends: list, counts, owed: 0, turn: was?.turn ?? 0 }
  })
  return { route, slots, counts: before?.counts ?? new Counter() }
}

function routeFigures({ route, slots, counts }: LiveRoute): RouteFigures {
  return {
    route: route.id,
    workload: route.workload.uid,
    ...counts.read(),
    slots: slots.map(({ slot, counts: of }) => ({ slot, ...of.read() })),
  }
}

function backendFigures(backend: Backend, now: number): BackendFigures {
  const ejectedForMs = Math.ceil(backend.ejection.leftMs(now))
  return { backend: backend.id, leaving: backend.leaving, ejectedForMs, ...backend.counts.read() }
}
