/** What an apply would do, as a value to show, and a hash to hold it to. */
import { hashOf } from '../hash.ts'
import type { Manifest } from '../kinds/envelope.ts'
import type { ObjectKey } from '../object.ts'
import type { Change } from './diff.ts'
import type { Revert } from './merge3.ts'

export type PlanStep = {
  readonly action: 'create' | 'update' | 'delete' | 'keep'
  readonly object: ObjectKey
  readonly changes: readonly Change[]
  /** What others set since the last apply and this one sets back. */
  readonly reverts: readonly Revert[]
  /** What happens to what runs, in words: `replaces 3 replicas of web`. Empty: nothing is disturbed. */
  readonly restarts: readonly string[]
  /** The calls to the engine, as its provider plans them. */
  readonly engine: readonly string[]
}

export type Plan = { readonly steps: readonly PlanStep[]; readonly hash: string }

/** What a plan was made from. */
export type PlanBasis = {
  readonly desired: readonly Manifest[]
  /** Of each object that was there, the generation that was seen. */
  readonly generations: readonly { readonly object: ObjectKey; readonly generation: number }[]
  readonly instances: readonly {
    readonly object: ObjectKey
    readonly slot: string
    readonly engineIds: readonly string[]
    readonly specHash: string
    readonly replicas: number
  }[]
}

export function makePlan(steps: readonly PlanStep[], basis: PlanBasis): Plan {
  return { steps, hash: planHash(basis) }
}

/**
 * Covers what is wanted, which generations were seen, and per instance its engine ids, spec hash and replica count.
 * Never readiness, restarts or times: those move by themselves, and a plan must hold while they do.
 */
export function planHash({ desired, generations, instances }: PlanBasis): string {
  return hashOf({
    desired: inOrder(
      desired.map(({ kind, metadata, spec }) => {
        const { name, tenant, labels, annotations } = metadata
        return { kind, name, tenant, labels, annotations, spec }
      }),
      keyText,
    ),
    generations: inOrder(
      generations.map(({ object, generation }) => ({ ...only(object), generation })),
      keyText,
    ),
    instances: inOrder(
      instances.map(({ object, slot, engineIds, specHash, replicas }) => ({
        ...only(object),
        slot,
        engineIds: engineIds.toSorted(),
        specHash,
        replicas,
      })),
      (instance) => `${keyText(instance)} ${instance.slot}`,
    ),
  })
}

/** The key and nothing that a caller may have left on the object. */
function only({ kind, tenant, name }: ObjectKey): ObjectKey {
  return { kind, name, ...(tenant !== undefined && { tenant }) }
}

function keyText({ kind, tenant, name }: { kind: string; tenant?: string | undefined; name: string }): string {
  return `${kind} ${tenant ?? ''} ${name}`
}

function inOrder<T>(items: readonly T[], key: (item: T) => string): T[] {
  return items.toSorted((left, right) => (key(left) < key(right) ? -1 : key(left) > key(right) ? 1 : 0))
}
