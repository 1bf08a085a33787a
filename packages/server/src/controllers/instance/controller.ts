/** The controller that makes instances true on their engines. */
import { Controller, readinessOf } from '@gantry/reconcile'
import { sourceOf } from '@gantry/store'
import type { ControllerDeps } from '../deps.ts'
import { reconcileInstance } from './reconcile.ts'

/** What its engine tells comes in by `wakeInstances`; this alone finds it at the resync. */
export function instanceController(deps: ControllerDeps): Controller {
  const { store, scope, clock, random, ownership, feeds, onTrouble } = deps
  return new Controller({
    name: 'instance',
    kind: 'Instance',
    source: sourceOf(store, scope, 'Instance'),
    reconcile: reconcileInstance(deps),
    clock,
    random,
    workers: 32,
    watched: [{ source: sourceOf(store, scope, 'Provider'), revision: readinessOf }],
    // Drift is repaired within seconds where the engine tells, and here otherwise.
    resyncMs: 300_000,
    onTrouble,
    ...(ownership && { ownership }),
    ...(feeds && { feeds }),
  })
}
