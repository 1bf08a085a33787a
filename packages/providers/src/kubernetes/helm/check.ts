/** Pure: what is wrong with a source, as far as it can be told without the chart. */
import { isAbsolute } from 'node:path'
import type { Issue } from '@gantry/core'
import { isBelow } from '../../tended/is-below.ts'
import type { DesiredChart, HelmOptions } from './helm.ts'
import { valuesIssues } from './prepare/values.ts'

const path = 'spec.source.helm'
/** As Helm has it: the Secrets of revisions are named after it. */
const releaseNamePattern = /^[a-z0-9](?:[-a-z0-9]{0,51}[a-z0-9])?$/

export function checkChart(
  desired: DesiredChart,
  { chartFolders = [] }: Pick<HelmOptions, 'chartFolders'>,
): readonly Issue[] {
  const { source, ref, run } = desired
  const issues: Issue[] = [...valuesIssues(source)]
  if (run === 'stopped') {
    const message =
      'a release of Helm runs or is gone: set the number of its replicas by its values, or delete the workload'
    issues.push({ path: 'spec.run', message })
  }
  const name = source.releaseName ?? ref.workload
  if (!releaseNamePattern.test(name)) {
    const message = `${name} must be lower case letters, digits and dashes, 53 at most`
    issues.push({ path: `${path}.releaseName`, message })
  }
  return [...issues, ...chartIssues(source.chart, chartFolders)]
}

function chartIssues(chart: DesiredChart['source']['chart'], folders: readonly string[]): readonly Issue[] {
  if (chart.from === 'archive') {
    const isPacked = chart.content[0] === 0x1f && chart.content[1] === 0x8b
    return isPacked ? [] : [{ path: `${path}.chart.archive`, message: 'must be a packed chart (.tgz)' }]
  }
  if (chart.from === 'path') {
    const at = `${path}.chart.path`
    if (folders.length === 0) return [{ path: at, message: 'the Provider lets charts be in no folder (chartFolders)' }]
    if (isAbsolute(chart.path) && folders.some((folder) => isBelow(chart.path, folder))) return []
    return [{ path: at, message: `must be in or below ${folders.join(' or ')}, as the Provider's settings say` }]
  }
  const at = `${path}.chart.repository`
  // Both are arguments of helm, which a dash would make into something else.
  const names = [chart.name, chart.version ?? ''].filter((text) => text.startsWith('-'))
  const isUrl = /^(?:https?|oci):\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/.test(chart.url)
  return [
    ...(isUrl ? [] : [{ path: `${at}.url`, message: 'must be https://… or oci://…, without a user in it' }]),
    ...names.map((text) => ({ path: at, message: `${text} must not begin with a dash` })),
  ]
}
