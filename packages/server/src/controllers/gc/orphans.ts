/**
 * What is ours on an engine and belongs to no Instance: told first, removed when it was seen so again, and never after a
 * restore that nobody has confirmed, because what a backup does not know is not therefore unwanted.
 */
import { asFault, type Call, canonicalJson, instanceName, isFault, type ObjectOf } from '@gantry/core'
import { type Observed, type Pass, refName } from '@gantry/providers'
import { Controller, done, keyOf, type Reconcile, type Result, type Run, waiting } from '@gantry/reconcile'
import { sourceOf } from '@gantry/store'
import { unconfirmedRestore } from '../../backup/restore-mark.ts'
import { type ControllerDeps, fencing } from '../deps.ts'
import { isRemovable, type Sighting, type Sightings, sightAgain } from './sightings.ts'

/** Between two looks, which is also the grace. */
export const orphanLookMs = 60_000

type Provider = ObjectOf<'Provider'>

export function reconcileOrphans(deps: ControllerDeps, everyMs: number): Reconcile {
  const { store, scope, hub, clock, events } = deps
  const known = new Map<string, Sightings>()
  const next = (afterMs: number): Result =>
    waiting('', 'the next look for orphans', { retryAfterMs: afterMs, stuckAfterMs: Number.POSITIVE_INFINITY })

  return async (key, run) => {
    const provider = (await store.read(scope, key, run)) as Provider | undefined
    if (!provider) {
      known.delete(key.name)
      return done()
    }
    // What was seen before the engine was lost is no ground to remove anything.
    if (hub.view(key.name)?.state !== 'seeing') return next(everyMs)
    const ownerless = await withoutOwner(key.name, run)
    const sightings = sightAgain(known.get(key.name) ?? new Map(), ownerless, new Date(clock.now()))
    known.set(key.name, sightings)
    await tell(provider, sightings, run)
    const isRestored = (await unconfirmedRestore(store, scope, run)) !== undefined
    const removable = isRestored ? [] : [...sightings.values()].filter(isRemovable)
    const left = await Promise.all(removable.map((one) => remove(provider, one, run)))
    return next(Math.min(everyMs, ...left.flatMap((pass) => (pass?.state === 'yield' ? [pass.afterMs] : []))))
  }

  async function withoutOwner(provider: string, call: Call): Promise<readonly Observed[]> {
    const seen = hub.all(provider)
    const owned: boolean[] = []
    // A few at a time: with ten thousand of them nobody else shall wait for the database.
    for (let at = 0; at < seen.length; at += atOnce) {
      owned.push(...(await Promise.all(seen.slice(at, at + atOnce).map((one) => hasOwner(provider, one, call)))))
    }
    return seen.filter((_, at) => !owned[at])
  }

  async function hasOwner(provider: string, { ref }: Observed, call: Call): Promise<boolean> {
    const key = { kind: 'Instance', tenant: ref.tenant, name: instanceName(ref.workload, ref.slot) }
    const found = (await store.read(scope, key, call)) as ObjectOf<'Instance'> | undefined
    return found?.spec.uid === ref.uid && found.spec.provider === provider
  }

  async function tell(provider: Provider, sightings: Sightings, run: Run): Promise<void> {
    for (const { ref, times } of sightings.values()) {
      if (times > 1) continue
      const message = `${refName(ref)} runs there, is ours, and belongs to nothing; it is removed if it stays so`
      events.record(provider, { type: 'warning', reason: 'OrphanSeen', message, by: 'gc' })
    }
    const orphans = [...sightings.values()].map(({ ref, replicas, since }) => ({
      ...ref,
      replicas,
      since: since.toISOString(),
    }))
    if (canonicalJson(orphans) === canonicalJson(provider.status.orphans ?? [])) return
    const { orphans: _, ...rest } = provider.status
    const status = orphans.length === 0 ? rest : { ...rest, orphans }
    const { resourceVersion } = provider.metadata
    const command = { op: 'status', key: keyOf(provider), status, ifVersion: resourceVersion } as const
    await store.write(scope, [command], fencing(deps, provider, run), run)
  }

  /** One pass. What cannot be removed now is met again at the next look. */
  async function remove(provider: Provider, { ref }: Sighting, call: Call): Promise<Pass | undefined> {
    try {
      const pass = await hub.engine(provider.metadata.name).remove(ref, { retained: 'keep' }, call)
      if (pass.state === 'done') {
        const message = `${refName(ref)} belonged to nothing and was removed; its volumes are kept`
        events.record(provider, { type: 'normal', reason: 'OrphanRemoved', message, by: 'gc' })
      }
      return pass
    } catch (error) {
      call.signal.throwIfAborted()
      if (!isFault(error, 'unavailable')) deps.onTrouble(asFault(error))
      return undefined
    }
  }
}

const atOnce = 200

export function orphanController(deps: ControllerDeps, everyMs = orphanLookMs): Controller {
  const { store, scope, clock, random, ownership, feeds, onTrouble } = deps
  return new Controller({
    name: 'orphans',
    kind: 'Provider',
    source: sourceOf(store, scope, 'Provider'),
    reconcile: reconcileOrphans(deps, everyMs),
    clock,
    random,
    workers: 4,
    onTrouble,
    ...(ownership && { ownership }),
    ...(feeds && { feeds }),
  })
}
