/** The controller that makes workloads true. */
import { Controller, readinessOf } from '@gantry/reconcile'
import { sourceOf } from '@gantry/store'
import type { ControllerDeps } from '../deps.ts'
import { secretRevision } from '../secret-revision.ts'
import { abandonmentKind } from './abandonment.ts'
import { reconcileWorkload } from './reconcile.ts'

export function workloadController(deps: ControllerDeps): Controller {
  const { store, scope, clock, random, ownership, feeds, onTrouble } = deps
  const source = (kind: string) => sourceOf(store, scope, kind)
  return new Controller({
    name: 'workload',
    kind: 'Workload',
    source: source('Workload'),
    reconcile: reconcileWorkload(deps),
    clock,
    random,
    workers: 32,
    owned: [source('Rollout'), source('Instance'), source(abandonmentKind)],
    watched: [
      { source: source('Workload'), revision: readinessOf },
      { source: source('Provider'), revision: readinessOf },
      { source: source('Secret'), revision: secretRevision },
    ],
    onTrouble,
    ...(ownership && { ownership }),
    ...(feeds && { feeds }),
  })
}
