/** A control plane of forty lines: store, change feed, controller, engine. The real one arrives with the server. */
import { type Clock, type GantryObject, type WorkloadSpec, workloadKind } from '@gantry/core'
import type { Engine } from '@gantry/providers'
import { Controller, manageObject } from '@gantry/reconcile'
import { managedObjects, type Store, sourceOf, systemScope } from '@gantry/store'
import { engineStep } from './engine-step.ts'

export const scope = systemScope()

export type Plane = { readonly controller: Controller; readonly stop: () => Promise<void> }

export function startPlane(store: Store, engine: Engine, installation: string, clock: Clock): Plane {
  const controller = new Controller({
    name: 'workloads',
    kind: workloadKind.kind,
    source: sourceOf(store, scope, workloadKind.kind),
    reconcile: manageObject({
      objects: managedObjects(store, scope),
      finalizer: 'gantry.dev/instance',
      clock,
      tree: (object) => engineStep(engine, installation, object as GantryObject<WorkloadSpec>),
    }),
    clock,
    random: Math.random,
    onTrouble: (fault) => process.stderr.write(`trouble: ${fault.message}\n`),
  })
  const ending = new AbortController()
  controller.start()
  const followed = followEngine(engine, controller, ending.signal)
  return {
    controller,
    async stop() {
      ending.abort()
      await followed
      await controller.stop({ deadlineMs: 5_000 }, { signal: AbortSignal.timeout(10_000) })
    },
  }
}

/** What the engine tells brings a key back at once. Losing it would cost time, never correctness. */
async function followEngine(engine: Engine, controller: Controller, signal: AbortSignal): Promise<void> {
  try {
    for await (const seen of engine.observe({ signal })) {
      if (seen.type === 'changed') controller.add(keyOf(seen.instance.ref), seen.instance.ref.uid)
      if (seen.type === 'blind' || seen.type === 'snapshot') controller.revisit(() => true)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function keyOf({ tenant, workload }: { readonly tenant: string; readonly workload: string }) {
  return { kind: workloadKind.kind, tenant, name: workload }
}
