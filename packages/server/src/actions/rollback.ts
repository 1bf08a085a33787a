/** Which release a rollback brings back, and whether it can. */
import { type Call, Fault, isFault, type ObjectOf, type SpecOf } from '@gantry/core'
import type { Store, SystemScope } from '@gantry/store'
import { madeForSelector } from '../controllers/workload/made-for.ts'
import { openServices } from '../engines/sealed-services.ts'
import { openSource } from '../engines/sealed-source.ts'
import type { Vault } from '../vault/vault.ts'

type Workload = ObjectOf<'Workload'>
type Release = SpecOf<'Release'>

export type RollbackDeps = {
  readonly store: Store
  readonly scope: SystemScope
  readonly vault: Pick<Vault, 'openContent' | 'resolve'>
}

export type BroughtBack = Pick<Release, 'services' | 'source' | 'secretVersions' | 'stamp'>

/** Refused beforehand if a part of it is no longer in the vault. */
export async function releaseToBringBack(
  deps: RollbackDeps,
  workload: Workload,
  to: number | undefined,
  call: Call,
): Promise<BroughtBack> {
  const kept = await releasesOf(deps, workload, call)
  const release =
    to === undefined
      ? before(workload, await askedRelease(deps, workload, call), kept)
      : kept.find(({ number }) => number === to)
  if (!release) throw notKept(workload, to, kept)
  const { tenant = '', uid } = workload.metadata
  try {
    for (const { name, key } of release.services.flatMap(({ secrets }) => secrets)) {
      await deps.vault.resolve({ tenant, name, key, version: release.secretVersions[name] ?? 1 }, call)
    }
    // Only to see that they can be: what is written back are the references.
    await openServices(deps.vault, { tenant, owner: uid }, release.services, call)
    if (release.source) await openSource(deps.vault, { tenant, owner: uid }, release.source, call)
    return release
  } catch (error) {
    if (!isFault(error, 'not_found')) throw error
    throw new Fault('secret_not_found', `v${release.number} cannot be brought back: ${error.message}`, { cause: error })
  }
}

/**
 * The one that is trusted, while the newest rollout is on its way to another or has failed to get there; else the newest
 * before the one that is trusted.
 */
export function before(
  { status }: Pick<Workload, 'status'>,
  asked: number | undefined,
  kept: readonly Release[],
): Release | undefined {
  const { release: runs } = status
  if (runs === undefined) return undefined
  if (asked !== undefined && asked !== runs) return kept.find(({ number }) => number === runs)
  const earlier = kept.filter(({ number }) => number < runs)
  return earlier.toSorted((left, right) => right.number - left.number)[0]
}

/** The release of the newest rollout, whatever came of it. */
async function askedRelease(
  { store, scope }: RollbackDeps,
  workload: Workload,
  call: Call,
): Promise<number | undefined> {
  const { tenant = '' } = workload.metadata
  const name = workload.status.rollout
  if (name === undefined) return undefined
  const rollout = await store.read(scope, { kind: 'Rollout', tenant, name }, call)
  return (rollout as ObjectOf<'Rollout'> | undefined)?.spec.release
}

async function releasesOf({ store, scope }: RollbackDeps, { metadata }: Workload, call: Call): Promise<Release[]> {
  const found: Release[] = []
  let from: string | undefined
  do {
    const page = await store.list(
      scope,
      {
        kind: 'Release',
        tenant: metadata.tenant ?? '',
        labelSelector: madeForSelector(metadata.name),
        limit: 500,
        ...(from !== undefined && { continue: from }),
      },
      call,
    )
    for (const { metadata: own, spec } of page.items) {
      if (own.ownerRefs.some(({ uid }) => uid === metadata.uid)) found.push(spec as Release)
    }
    from = page.continue
  } while (from !== undefined)
  return found
}

function notKept({ metadata: { name } }: Workload, to: number | undefined, kept: readonly Release[]): Fault {
  const numbers = kept.map(({ number }) => number).toSorted((left, right) => left - right)
  const there = numbers.length > 0 ? `kept are ${numbers.map((number) => `v${number}`).join(', ')}` : 'none is kept'
  const what = to === undefined ? `${name} has no release before the one that runs` : `${name} has no release v${to}`
  return new Fault('release_not_found', `${what}; ${there}`)
}
