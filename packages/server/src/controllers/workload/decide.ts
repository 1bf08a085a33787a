/** Pure: whether what is asked for is another thing than what was last rolled out, and what rollout that makes. */
import { canonicalJson, hashOf, type ObjectOf, type RolloutTrigger, type WorkloadType } from '@gantry/core'

/** Everything that takes a rollout to change. What is not in here (replicas, run, labels …) changes in place. */
export type Wish = {
  /** Of the content of the release and its stamp. */
  readonly hash: string
  readonly provider: string
  readonly type: WorkloadType
  readonly restartStamp?: string | undefined
}

/** Kept in the status, together with the rollout that was made for it: also a rollout that failed is not made twice. */
export function askedOf(wish: Wish): string {
  return hashOf(wish).slice(0, 32)
}

type Asked = { readonly services: unknown; readonly source?: unknown; readonly stamp?: string }

/** What is known when a rollout is to be made. Releases in any order. */
export type Before = {
  readonly releases: readonly ObjectOf<'Release'>[]
  readonly newest: ObjectOf<'Rollout'> | undefined
  /** How many releases were ever made: numbers of forgotten ones are not given again. */
  readonly count: number
}

export type RolloutPlan = {
  readonly number: number
  readonly trigger: RolloutTrigger
  /** The release to be brought about: one that is kept, or the next. */
  readonly release: { readonly number: number; readonly isNew: boolean }
  /** What a failure goes back to. */
  readonly from?: number
}

/** Content that a kept release has is that release, with its images as they were pinned. */
export function planRollout(wish: Wish, content: Asked, before: Before): RolloutPlan {
  const { releases, newest } = before
  const kept = newestOf(releases.filter(({ spec }) => spec.hash === wish.hash))
  const last = Math.max(before.count, ...releases.map(({ spec }) => spec.number))
  const from = newest && runningRelease(newest)
  return {
    number: (newest?.spec.number ?? 0) + 1,
    trigger: triggerOf(wish, content, before, kept),
    release: kept ? { number: kept.spec.number, isNew: false } : { number: last + 1, isNew: true },
    ...(from === undefined ? {} : { from }),
  }
}

/** The release that is trusted: what a rollout has brought about, or what it would go back to. */
export function runningRelease({ spec, status }: Pick<ObjectOf<'Rollout'>, 'spec' | 'status'>): number | undefined {
  return status.phase === 'succeeded' ? spec.release : (status.returnsTo ?? spec.from)
}

function triggerOf(
  wish: Wish,
  { services, source, stamp }: Asked,
  { releases, newest }: Before,
  kept: ObjectOf<'Release'> | undefined,
): RolloutTrigger {
  if (!newest) return 'create'
  const before = releases.find(({ spec }) => spec.number === newest.spec.release)
  if (before?.spec.hash !== wish.hash) {
    if (kept && kept.spec.number < newest.spec.release) return 'rollback'
    // Whoever deploys the same again gives it another stamp: without, only a secret can have changed.
    const had = before && { services: before.spec.services, source: before.spec.source }
    const isSame = before?.spec.stamp === stamp && canonicalJson(had) === canonicalJson({ services, source })
    return isSame ? 'secret' : 'deploy'
  }
  const { provider, type } = newest.spec
  return provider === wish.provider && type === wish.type ? 'restart' : 'move'
}

function newestOf(releases: readonly ObjectOf<'Release'>[]): ObjectOf<'Release'> | undefined {
  return releases.toSorted((a, b) => b.spec.number - a.spec.number)[0]
}
