/** Forgets old releases and rollouts, and what only they kept in the vault. */
import type { ObjectOf } from '@gantry/core'
import { Controller, done, keyOf, type Reconcile } from '@gantry/reconcile'
import { type Command, sourceOf } from '@gantry/store'
import { contentReferences } from '../../engines/sealed-services.ts'
import { type ControllerDeps, fencing } from '../deps.ts'
import { instancesOf, keptOf } from '../workload/look.ts'
import { forgettable, mayForget } from './forgettable.ts'

export function reconcileHistory(deps: ControllerDeps): Reconcile {
  const { store, scope, vault } = deps
  return async (key, run) => {
    const workload = (await store.read(scope, key, run)) as ObjectOf<'Workload'> | undefined
    if (!workload || workload.metadata.deletionRequestedAt !== undefined) return done()
    if (!mayForget(workload, rolloutNumber(workload))) return done()
    const [releases, rollouts, instances] = await Promise.all([
      keptOf(deps, 'Release', workload, run),
      keptOf(deps, 'Rollout', workload, run),
      instancesOf(deps, workload, run),
    ])
    const old = forgettable({ workload, releases, rollouts, instances })
    const going: Command[] = [...old.releases, ...old.rollouts].map((made) => ({
      op: 'delete',
      key: keyOf(made),
      ifUid: made.metadata.uid,
    }))
    if (going.length === 0) return done()
    const kept = releases.filter((release) => !old.releases.includes(release))
    // What is wanted but in no release yet stays too, as long as the spec is still the one that was looked at.
    const wanted = [workload, ...kept].flatMap(({ spec }) => contentReferences(spec.services, spec.source))
    const references = new Set(wanted)
    const { tenant = '', name, uid, generation } = workload.metadata
    const hadContents = old.releases.some(({ spec }) => contentReferences(spec.services, spec.source).length > 0)
    const contents = hadContents ? await vault.removeContents({ tenant, owner: uid }, references, run) : []
    const requires = contents.length > 0 ? [{ kind: 'Workload', tenant, name, generation }] : []
    await store.write(scope, [...going, ...contents], { ...fencing(deps, workload, run), requires }, run)
    return done()
  }
}

/** From its name, which ends in it: the newest one is not worth a read. */
function rolloutNumber({ status: { rollout = '' } }: ObjectOf<'Workload'>): number {
  return Number(/-r(\d+)$/.exec(rollout)?.[1] ?? 0)
}

export function historyController(deps: ControllerDeps): Controller {
  const { store, scope, clock, random, ownership, feeds, onTrouble } = deps
  return new Controller({
    name: 'history',
    kind: 'Workload',
    source: sourceOf(store, scope, 'Workload'),
    // A new release or a rollout that ended may have made an old one superfluous; nothing else does.
    owned: [sourceOf(store, scope, 'Release'), sourceOf(store, scope, 'Rollout')],
    reconcile: reconcileHistory(deps),
    clock,
    random,
    workers: 2,
    onTrouble,
    ...(ownership && { ownership }),
    ...(feeds && { feeds }),
  })
}
