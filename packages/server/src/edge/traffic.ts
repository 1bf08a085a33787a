/** The server's side of the edge: what rollouts and engines ask of it, and the loop that keeps its table true. */
import {
  asFault,
  type Call,
  type Clock,
  type Fault,
  type GantryObject,
  instanceName,
  isFault,
  type ObjectKey,
  type ObjectOf,
  sleep,
  slots,
} from '@gantry/core'
import type { EdgeFigures, EdgeRoute, EdgeTable } from '@gantry/edge'
import { done, type Leaving, type Pass, type Ref, type Replica, waitFor } from '@gantry/providers'
import type { Store, SystemScope } from '@gantry/store'
import type { EngineHub } from '../engines/engine-hub.ts'
import type { TrafficFacts } from '../rollout/facts.ts'
import type { TrafficView } from '../rollout/traffic.ts'
import { backendsOf, wantedPort } from './backends.ts'
import { type Compiled, compileTable } from './compile-table.ts'
import { Departures } from './departures.ts'
import type { EdgeClient } from './edge-client.ts'
import { Mirror } from './mirror.ts'
import { ownPlace } from './places.ts'
import { Publisher } from './publisher.ts'
import { isServing, mustWait } from './route-out.ts'
import { statusCommands } from './route-status.ts'
import { RoutedNews } from './routed-news.ts'
import type { RoutedRollout } from './routed-objects.ts'
import { seenInstance } from './seen-instances.ts'
import { type SlotCount, SlotSeries } from './slot-series.ts'
import { indexOf } from './table-index.ts'
import { rolloutsByOwner } from './weights.ts'

export interface EdgeTraffic extends TrafficView, Pick<Leaving, 'routedOut'> {
  /** Requests and errors of a slot since then (milliseconds since 1970); `undefined` where nobody has counted. */
  edgeFigures(uid: string, slot: 'a' | 'b', since: number): SlotCount | undefined
  /** What the edge counted last, whole; `undefined` before it was ever asked. */
  readonly figures: EdgeFigures | undefined
  /** The table that the edge is known to route by. */
  readonly inForce: EdgeTable
  start(): void
  /** The edge goes on with what it has. Twice is harmless. */
  stop(): Promise<void>
}

export type TrafficOptions = {
  readonly store: Store
  readonly scope: SystemScope
  readonly clock: Clock
  readonly random: () => number
  readonly hub: EngineHub
  readonly client: EdgeClient
  /** Proxies before the edge whose `X-Forwarded-*` is believed. */
  readonly trusted?: readonly string[]
  readonly onTrouble: (fault: Fault) => void
}

const figuresEveryMs = 1000
const lookAgainMs = 50

export function edgeTraffic(options: TrafficOptions): EdgeTraffic {
  const { store, scope, clock, random, hub, client, onTrouble } = options
  const departures = new Departures(clock)
  const series = new SlotSeries()
  const listeners = new Set<Parameters<TrafficView['subscribe']>[0]>()
  const stopping = new AbortController()
  const call: Call = { signal: stopping.signal }
  const changed = (): void => publisher.changed()
  const news = new RoutedNews()
  const mirror = new Mirror({ store, scope, clock, random, onChange: changedInStore, onTrouble })
  const publisher = new Publisher({ client, clock, compile, onAcknowledged, onTrouble })
  const forgetHub = hub.subscribe((provider, seen) => {
    if (news.onEngine(provider, seen)) changed()
  })
  let figures: EdgeFigures | undefined
  let counting: Promise<void> | undefined
  let writing: Promise<void> = Promise.resolve()

  return {
    start() {
      mirror.start()
      counting ??= count()
    },
    async stop() {
      stopping.abort(new Error('routing was stopped'))
      forgetHub()
      publisher.stop()
      await Promise.all([mirror.stop(), counting, writing])
    },
    look,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    edgeFigures: (uid, slot, since) => series.since(uid, slot, since),
    get figures() {
      return figures
    },
    get inForce() {
      return publisher.inForce
    },
    routedOut,
  }

  function changedInStore(what: GantryObject | ObjectKey | undefined): void {
    if (what && 'metadata' in what) {
      if (news.inStore(what)) changed()
      return
    }
    if (what) news.gone(what)
    changed()
  }

  function compile(): Compiled | undefined {
    if (!mirror.complete) return undefined
    const instances = mirror.all('Instance').map((instance) => seenInstance(hub, instance))
    const before = publisher.inForce
    return compileTable({
      workloads: mirror.all('Workload'),
      rollouts: mirror.all('Rollout'),
      instances,
      routes: mirror.all('Route'),
      leaving: departures.lasting(),
      inRotation: new Set(before.routes.flatMap((route) => route.slots.flatMap(({ backends }) => backends))),
      trusted: options.trusted ?? [],
    })
  }

  function onAcknowledged({ verdicts }: Compiled, before: EdgeTable): void {
    for (const rollout of withNewShares(mirror.all('Rollout'), before, publisher.inForce)) {
      const { tenant = '', name } = rollout.metadata
      for (const listener of listeners) listener({ tenant, name })
    }
    const commands = statusCommands(verdicts, clock.now())
    if (commands.length === 0) return
    // One by one: a Route that was changed meanwhile is looked at again anyway, and must not hold up the others.
    writing = writing.then(async () => {
      for (const command of commands) await store.write(scope, [command], {}, call).catch(overtaken)
    })
  }

  function overtaken(error: unknown): void {
    if (stopping.signal.aborted || isFault(error, 'conflict') || isFault(error, 'not_found')) return
    onTrouble(asFault(error))
  }

  function look(rollout: ObjectOf<'Rollout'>): TrafficFacts {
    const uid = rollout.metadata.ownerRefs[0]?.uid ?? ''
    const { weights, since } = rollout.status
    const routes = indexOf(publisher.inForce).routesOf(uid)
    const asSaid = routes.every(({ slots }) => slots.every(({ slot, weight }) => weight === weights?.[slot]))
    const acknowledged =
      routes.length > 0 ? weights !== undefined && asSaid && !routes.some(isBehind) : !isRouted(rollout)
    const from = since === undefined ? clock.now() : Date.parse(since)
    const [a, b] = [series.since(uid, 'a', from), series.since(uid, 'b', from)]
    return { acknowledged, ...((a || b) && { figures: { a: a ?? none, b: b ?? none } }) }
  }

  /** Where there is no http port, no edge is in the way. Not yet seen is not the same. */
  function isRouted({ metadata: { tenant = '' }, spec }: ObjectOf<'Rollout'>): boolean {
    const workload = mirror.get('Workload', tenant, spec.workload)
    if (!workload) return true
    return (
      wantedPort(workload.spec, undefined, workload.spec.source && endpointsOf(tenant, spec.workload)) !== undefined
    )
  }

  /** By the name that every workload has, a slot leads to nobody of whom somebody is seen by now: the next table has them. */
  function isBehind({ id, workload: { tenant, name }, slots: shares }: EdgeRoute): boolean {
    const workload = mirror.get('Workload', tenant, name)
    if (!workload || id !== ownPlace(tenant, name)) return false
    const wanted = wantedPort(workload.spec, undefined, workload.spec.source && endpointsOf(tenant, name))
    const rotation = { leaving: departures.routedOut(), inRotation: new Set<string>() }
    return shares.some(({ slot, weight, backends }) => {
      const instance = mirror.get('Instance', tenant, instanceName(name, slot))
      if (weight === 0 || backends.length > 0 || !instance || !wanted) return false
      return backendsOf(seenInstance(hub, instance), wanted, rotation).serving.length > 0
    })
  }

  function endpointsOf(tenant: string, workload: string) {
    const instances = slots.flatMap((slot) => mirror.get('Instance', tenant, instanceName(workload, slot)) ?? [])
    return instances.flatMap((instance) => seenInstance(hub, instance).endpoints)
  }

  async function routedOut(ref: Ref, replica: Replica, graceMs: number, during: Call): Promise<Pass> {
    const { engineId, endpoints } = replica
    // Nobody was ever sent there.
    if (!endpoints.some(({ protocol }) => protocol === 'http')) return done
    const { inForce } = publisher
    const { routesOf, leavingOf } = indexOf(inForce)
    const routes = routesOf(ref.uid)
    const instance = mirror.get('Instance', ref.tenant, instanceName(ref.workload, ref.slot))
    const isLate = departures.ask(engineId) >= graceMs
    // Not yet: it goes on getting requests for as long as nobody else would.
    if (!isLate && mustWait(routes, engineId, departures.routedOut(), instance)) {
      return waitFor('another replica to be routed to', lookAgainMs)
    }
    const compiles = departures.routeOut(engineId, publisher.compiles)
    changed()
    const { link } = client
    if (isLate) return done
    if (!link || !mirror.complete || inForce.number === 0) return waitFor('the edge to be told', lookAgainMs)
    if (!publisher.hasFollowed(compiles) || isServing(routes, engineId))
      return waitFor('the edge to route past it', lookAgainMs)
    const counts = await link.inFlight(leavingOf(engineId), during)
    const inFlight = counts.reduce((sum, { count: of }) => sum + of, 0)
    return inFlight === 0 ? done : waitFor(`${inFlight} requests in flight`, lookAgainMs)
  }

  async function count(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { link } = client
      try {
        if (link) {
          figures = await link.figures(call)
          series.record(figures, clock.now())
          series.keepOnly(new Set(mirror.all('Workload').map(({ metadata }) => metadata.uid)))
        }
      } catch (error) {
        if (!stopping.signal.aborted && !isFault(error, 'unavailable')) onTrouble(asFault(error))
      }
      await sleep(clock, figuresEveryMs, call).catch(() => undefined)
    }
  }
}

const none: SlotCount = { requests: 0, errors: 0 }

/** The newest rollouts of workloads whose shares are others than before, or have somebody now who gets them. */
function withNewShares(
  rollouts: readonly RoutedRollout[],
  before: EdgeTable,
  now: EdgeTable,
): readonly RoutedRollout[] {
  const byOwner = rolloutsByOwner(rollouts)
  // Of all its routes: one whose main service has no http port has none by its own name.
  const shares = ({ routes }: EdgeTable): ReadonlyMap<string, string> => {
    const byUid = new Map<string, string>()
    for (const { id, workload, slots } of routes) {
      const text = slots.map(({ weight, backends }) => `${weight} ${backends.length > 0}`).join('/')
      byUid.set(workload.uid, `${byUid.get(workload.uid) ?? ''} ${id} ${text}`)
    }
    return byUid
  }
  const old = shares(before)
  return [...shares(now)].flatMap(([uid, text]) => (old.get(uid) === text ? [] : (byOwner.get(uid)?.slice(0, 1) ?? [])))
}
