/** The controller that keeps the engines of all Providers open, and says how they are. */
import { Controller } from '@gantry/reconcile'
import { sourceOf } from '@gantry/store'
import { secretRevision } from '../secret-revision.ts'
import { type ProviderDeps, reconcileProvider } from './reconcile.ts'

export function providerController(deps: ProviderDeps): Controller {
  const { store, scope, clock, random, feeds, onTrouble } = deps
  return new Controller({
    name: 'provider',
    kind: 'Provider',
    source: sourceOf(store, scope, 'Provider'),
    reconcile: reconcileProvider(deps),
    clock,
    random,
    // An engine that takes long to open must not hold up the others.
    workers: 16,
    // A certificate that is renewed, or written at last, counts at once.
    watched: [{ source: sourceOf(store, scope, 'Secret'), revision: secretRevision }],
    policy: { faultMs: [250, 30_000] },
    onTrouble,
    ...(feeds && { feeds }),
  })
}
