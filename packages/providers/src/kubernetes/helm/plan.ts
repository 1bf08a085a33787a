/** Pure: what a pass would do, in words. */
import type { EngineStep } from '../../engine-step.ts'
import type { Observed } from '../../observed.ts'
import type { HelmChart } from '../../source.ts'
import type { DesiredChart } from './helm.ts'
import { sourcePath } from './view/observed.ts'

export function planChart(desired: DesiredChart | undefined, observed: Observed | undefined): readonly EngineStep[] {
  const [replica] = observed?.replicas ?? []
  const engineId = replica && { engineId: replica.engineId }
  if (!desired) {
    if (!observed) return []
    const name = releaseIn(observed) ?? observed.ref.workload
    const kept = Object.entries(replica?.services ?? {}).filter(([, { message }]) =>
      message?.includes('resource-policy'),
    )
    const stays = kept.length === 0 ? '' : `; ${kept.map(([key]) => key).join(', ')} will stay, as the chart says`
    return [{ verb: 'remove', object: `helm release ${name}`, ...engineId, why: `it is to go${stays}` }]
  }
  const name = desired.source.releaseName ?? desired.ref.workload
  const object = `helm release ${name}`
  const chart = chartWords(desired.source.chart)
  if (!replica) return [{ verb: 'create', object, why: `it is not there; ${chart} is installed` }]
  const before = releaseIn(observed)
  if (before !== undefined && before !== name) {
    const away: EngineStep = {
      verb: 'remove',
      object: `helm release ${before}`,
      ...engineId,
      why: 'it has another name',
    }
    return [away, { verb: 'create', object, why: `${chart} is installed under its new name` }]
  }
  if (replica.specHash === desired.specHash) return []
  const isForeign = observed?.drift.includes(sourcePath) ?? false
  const why = isForeign ? `somebody else has changed it; ${chart} comes back` : `${chart} takes the place of what runs`
  return [{ verb: 'change', object, ...engineId, why }]
}

const releaseIn = (observed: Observed | undefined): string | undefined =>
  Object.keys(observed?.replicas[0]?.services ?? {})
    .find((key) => key.startsWith('helm/'))
    ?.slice('helm/'.length)

function chartWords(chart: HelmChart): string {
  if (chart.from === 'archive') return 'the packed chart'
  if (chart.from === 'path') return `the chart at ${chart.path}`
  return `the chart ${chart.name}${chart.version === undefined ? '' : ` ${chart.version}`}`
}
