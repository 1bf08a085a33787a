/**
 * Versions of deleted Secrets that were kept because a release named them: forgotten once none does. Looked for now and
 * then, tenant by tenant; releases go one by one, with their workload, or with what is kept of a restore.
 */
import type { GantryObject } from '@gantry/core'
import { Controller, done, keyOf, type Reconcile, waiting } from '@gantry/reconcile'
import { type Command, sourceOf } from '@gantry/store'
import { type VersionSpec, vaultKinds } from '../../vault/rows.ts'
import { letGoSelector, secretVersionsInUse } from '../../vault/versions-in-use.ts'
import { type ControllerDeps, fencing } from '../deps.ts'

/** Between two looks. What nobody named at two of them is forgotten: one look may have been between two writes. */
export const keptSecretsLookMs = 10 * 60_000

const atOnce = 500

export function reconcileKeptSecrets(deps: ControllerDeps, everyMs: number): Reconcile {
  const { store, scope } = deps
  /** By tenant: the uids of rows that nobody named at the last look. */
  const unused = new Map<string, ReadonlySet<string>>()
  return async (key, run) => {
    const tenant = await store.read(scope, key, run)
    if (!tenant) {
      unused.delete(key.name)
      return done()
    }
    const query = { kind: vaultKinds.version, tenant: key.name, labelSelector: letGoSelector, limit: atOnce }
    const { items } = await store.list(scope, query, run)
    const inUse = new Map<string, ReadonlySet<number>>()
    const superfluous: GantryObject[] = []
    for (const row of items) {
      const { secret: name, version } = row.spec as VersionSpec
      const used = inUse.get(name) ?? (await secretVersionsInUse(deps, { tenant: key.name, name }, run))
      inUse.set(name, used)
      if (!used.has(version)) superfluous.push(row)
    }
    const before = unused.get(key.name) ?? new Set()
    const going = superfluous.filter(({ metadata }) => before.has(metadata.uid))
    unused.set(key.name, new Set(superfluous.map(({ metadata }) => metadata.uid)))
    if (going.length > 0) {
      const commands = going.map((row): Command => ({ op: 'delete', key: keyOf(row), ifUid: row.metadata.uid }))
      await store.write(scope, commands, fencing(deps, tenant, run), run)
    }
    return waiting('', 'the next look for kept secrets', {
      retryAfterMs: everyMs,
      stuckAfterMs: Number.POSITIVE_INFINITY,
    })
  }
}

export function keptSecretsController(deps: ControllerDeps): Controller {
  const { store, scope, clock, random, ownership, feeds, onTrouble } = deps
  return new Controller({
    name: 'kept-secrets',
    kind: 'Tenant',
    source: sourceOf(store, scope, 'Tenant'),
    reconcile: reconcileKeptSecrets(deps, keptSecretsLookMs),
    clock,
    random,
    workers: 1,
    onTrouble,
    ...(ownership && { ownership }),
    ...(feeds && { feeds }),
  })
}
