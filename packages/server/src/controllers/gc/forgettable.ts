/** Pure: which releases and rollouts of a workload nobody can need any more. */
import { hasEnded, type ObjectOf } from '@gantry/core'

export const keptReleases = 10
export const keptRollouts = 20

export type History = {
  readonly workload: ObjectOf<'Workload'>
  readonly releases: readonly ObjectOf<'Release'>[]
  readonly rollouts: readonly ObjectOf<'Rollout'>[]
  readonly instances: readonly ObjectOf<'Instance'>[]
}

export type Forgettable = {
  readonly releases: readonly ObjectOf<'Release'>[]
  readonly rollouts: readonly ObjectOf<'Rollout'>[]
}

/** The newest stay, and whatever runs, may be gone back to or is being brought about, however old it is. */
export function forgettable({ workload, releases, rollouts, instances }: History): Forgettable {
  const recentRollouts = newest(rollouts, keptRollouts)
  const active = rollouts.filter(({ spec, status }) => !hasEnded(status.phase) || isNewest(spec.number))
  const needed = new Set<number | undefined>([
    workload.status.release,
    ...instances.map(({ spec }) => spec.release),
    ...active.flatMap(({ spec }) => [spec.release, spec.from]),
    ...newest(releases, keptReleases).map(({ spec }) => spec.number),
  ])
  return {
    releases: releases.filter(({ spec }) => !needed.has(spec.number)),
    rollouts: rollouts.filter((rollout) => !recentRollouts.includes(rollout) && !active.includes(rollout)),
  }

  function isNewest(number: number): boolean {
    return rollouts.every(({ spec }) => spec.number <= number)
  }
}

/** Whether looking could find anything: most workloads have had too few of everything. */
export function mayForget({ status }: ObjectOf<'Workload'>, newestRollout: number): boolean {
  return (status.releases ?? 0) > keptReleases || newestRollout > keptRollouts
}

function newest<Made extends ObjectOf<'Release'> | ObjectOf<'Rollout'>>(made: readonly Made[], count: number): Made[] {
  return made.toSorted((a, b) => b.spec.number - a.spec.number).slice(0, count)
}
