/** Pure: the rollouts of a workload as a table. */
import type { ObjectOf } from '@gantry/core'
import { age } from '../../../output/age.ts'
import type { Style } from '../../../output/style.ts'
import { type Cell, table } from '../../../output/table.ts'

export type History = {
  readonly workload: ObjectOf<'Workload'>
  readonly rollouts: readonly ObjectOf<'Rollout'>[]
  readonly releases: readonly ObjectOf<'Release'>[]
}

export function historyTable(
  { workload, rollouts, releases }: History,
  wide: boolean,
  now: number,
  style: Style,
): string {
  const titles = ['ROLLOUT', 'RELEASE', 'RESULT', 'BY', 'AGE', ...(wide ? ['STRATEGY', 'CHANGED'] : []), 'MESSAGE']
  const byNumber = new Map(releases.map((release) => [release.spec.number, release]))
  const rows = inOrder(rollouts).map(({ metadata, spec, status }): Cell[] => {
    const release = byNumber.get(spec.release)
    const runs = workload.status.release === spec.release && metadata.name === runningRollout(workload, rollouts)
    const changed = release?.spec.changes ?? []
    return [
      `${spec.number}`,
      runs ? { text: `v${spec.release} (runs)`, paint: style.good } : `v${spec.release}`,
      { text: resultOf(status), paint: status.failure && status.phase !== 'succeeded' ? style.bad : (text) => text },
      spec.createdBy ?? '-',
      age(status.startedAt ?? metadata.createdAt, now),
      ...(wide ? [spec.strategy.type, changed.length === 0 ? '-' : changed.join(' ')] : []),
      spec.message ?? spec.trigger,
    ]
  })
  return table(titles, rows)
}

export function inOrder(rollouts: History['rollouts']): ObjectOf<'Rollout'>[] {
  return rollouts.toSorted((one, other) => one.spec.number - other.spec.number)
}

/** The newest that brought what runs. */
function runningRollout({ status }: ObjectOf<'Workload'>, rollouts: History['rollouts']): string | undefined {
  const fits = inOrder(rollouts).filter(
    ({ spec, status: { phase } }) => spec.release === status.release && phase === 'succeeded',
  )
  return fits.at(-1)?.metadata.name
}

function resultOf({ phase = 'pending', failure }: ObjectOf<'Rollout'>['status']): string {
  const words = phase.replaceAll('_', ' ')
  return failure && phase !== 'succeeded' ? `${words}: ${failure.reason.replaceAll('_', ' ')}` : words
}
