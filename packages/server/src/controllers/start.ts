/** All controllers of a server: started in the order in which each needs the others, stopped the other way round. */
import { randomUUID } from 'node:crypto'
import { type Call, Fault, orAbort, withDeadline } from '@gantry/core'
import type { Leaving } from '@gantry/providers'
import { type Controller, Feeds, type QueueMetrics, Shards } from '@gantry/reconcile'
import type { EngineKeeper } from '../engines/engine-keeper.ts'
import type { EngineFactories } from '../providers/engine-factories.ts'
import { noEdge, type TrafficView } from '../rollout/traffic.ts'
import type { ControllerDeps } from './deps.ts'
import { historyController } from './gc/history.ts'
import { keptSecretsController } from './gc/kept-secrets.ts'
import { orphanController } from './gc/orphans.ts'
import { instanceController } from './instance/controller.ts'
import { providerController } from './provider/controller.ts'
import type { ProviderTiming } from './provider/reconcile.ts'
import { rolloutController, wakeRollouts } from './rollout/controller.ts'
import { wakeInstances, wakeProviders } from './wake.ts'
import { workloadController } from './workload/controller.ts'

export type ControllersOptions = Omit<ControllerDeps, 'hub' | 'ownership' | 'feeds'> & {
  /** Engines are opened in here; whoever made it closes it, after the controllers have stopped. */
  readonly hub: EngineKeeper
  readonly factories: EngineFactories
  /** What engines ask before they take a replica away, by the Provider that they are of. Left out: nobody is asked. */
  readonly leavingFor?: (provider: string) => Leaving
  /** What rollouts know of the edge; left out: nobody routes requests. */
  readonly traffic?: TrafficView
  /** Several processes share the database, so each works on a share of the objects and says so with every write. */
  readonly shared: boolean
  readonly timing?: { readonly provider?: Partial<ProviderTiming>; readonly orphanLookMs?: number }
}

export type Controllers = {
  /** The figures of each one's queue, by its name. */
  readonly queues: ReadonlyMap<string, () => QueueMetrics>
  /** Throws why they cannot do their work. */
  ready(call: Call): Promise<void>
  /** Ends what runs, and gives back its share of the work. What runs on engines goes on. Twice is harmless. */
  stop(call: Call): Promise<void>
}

/** How long the others wait for the first look at all engines; without it, all would be shown as unknown for a moment. */
const firstLookMs = 5_000
/** How long what runs may take to end. */
const stopMs = 10_000
/** A run that takes longer has missed its deadline and does not stop. */
const overdueMs = 90_000

export async function startControllers(options: ControllersOptions, call: Call): Promise<Controllers> {
  const { store, scope, hub, clock, onTrouble, traffic = noEdge } = options
  const shards = options.shared
    ? new Shards({ leases: store.leases(scope), holder: randomUUID(), clock, onTrouble })
    : undefined
  const deps: ControllerDeps & { readonly hub: EngineKeeper } = {
    ...options,
    hub,
    feeds: new Feeds(options),
    ...(shards && { ownership: shards }),
  }
  const provider = providerController({
    ...deps,
    factories: options.factories,
    ...(options.leavingFor && { leavingFor: options.leavingFor }),
    ...timingOf(options),
  })
  const instance = instanceController(deps)
  const rollout = rolloutController({ ...deps, traffic })
  const others: Readonly<Record<string, Controller>> = {
    instance,
    rollout,
    workload: workloadController(deps),
    history: historyController(deps),
    orphans: orphanController(deps, options.timing?.orphanLookMs),
    'kept-secrets': keptSecretsController(deps),
  }
  const all = new Map(Object.entries({ provider, ...others }))

  const wakingProviders = wakeProviders(hub, provider)
  shards?.start()
  provider.start()
  await firstLook(options, call)
  const sleepAgain = [wakingProviders, wakeInstances(hub, instance), wakeRollouts(traffic, rollout)]
  for (const controller of Object.values(others)) controller.start()

  let stopped: Promise<void> | undefined
  const stop = async (during: Call): Promise<void> => {
    for (const end of sleepAgain) end()
    const reversed = [...all.values()].reverse()
    const reports = await Promise.all(reversed.map((one) => one.stop({ deadlineMs: stopMs }, during)))
    const left = reports.flatMap(({ stillRunning }) => stillRunning)
    if (left.length > 0) onTrouble(new Fault('stuck', `Runs that did not end with the server: ${left.join(', ')}`))
    await shards?.stop(during)
  }
  return {
    queues: new Map([...all].map(([name, controller]) => [name, () => controller.metrics()])),
    ready: async ({ signal }) => {
      signal.throwIfAborted()
      if (stopped) throw new Fault('shutting_down', 'The controllers are stopping')
      if (shards && shards.heldShards().length === 0) throw new Fault('lease_lost', 'No share of the work is held')
      for (const [name, controller] of all) {
        const { longestRunningMs } = controller.metrics()
        if (longestRunningMs > overdueMs) throw new Fault('stuck', `The ${name} controller has a run that does not end`)
      }
    },
    stop: (during) => {
      stopped ??= stop(during)
      return stopped
    },
  }
}

/** Bounded: an engine that does not answer is shown as such, and holds up nobody. */
async function firstLook({ hub, store, scope, clock }: ControllersOptions, call: Call): Promise<void> {
  const deadline = withDeadline(clock, firstLookMs, 'The first look at all engines', call)
  try {
    const { items } = await store.list(scope, { kind: 'Provider', limit: 1000 }, deadline)
    await orAbort(
      hub.looked(
        items.map(({ metadata }) => metadata.name),
        deadline,
      ),
      deadline,
    )
  } catch (error) {
    if (!deadline.passed()) throw error
  } finally {
    deadline.clear()
  }
}

function timingOf({ timing }: ControllersOptions): { readonly timing?: Partial<ProviderTiming> } {
  return timing?.provider ? { timing: timing.provider } : {}
}
