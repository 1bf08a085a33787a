/** Pure: what a release has that the one before it had not, by path and in words. Never a value: those may be private. */
import { diff } from '../../change/diff.ts'
import type { ReleaseContent } from '../workload/release.ts'
import { sourceType } from '../workload/source/fields.ts'

const mostPaths = 100
const longestSummary = 200

/** As `services[web].image`, in reading order. No release before: nothing to compare with, and so nothing. */
export function releaseChanges(before: ReleaseContent | undefined, after: ReleaseContent): string[] {
  if (!before) return []
  const paths = diff(contentOf(before), contentOf(after)).map(({ path }) => path)
  return [...new Set(paths)].slice(0, mostPaths)
}

/** One line for people: `image of web, env of web, secret db v1 to v2`. */
export function describeReleaseChanges(before: ReleaseContent | undefined, after: ReleaseContent): string {
  if (!before) return 'first release'
  const parts = [...serviceChanges(before, after), ...sourceChanges(before, after), ...secretChanges(before, after)]
  return shortened(parts.length === 0 ? 'the same again' : parts.join(', '))
}

function contentOf({ services, source, secretVersions }: ReleaseContent): ReleaseContent {
  return { services, ...(source && { source }), secretVersions }
}

function serviceChanges({ services: before }: ReleaseContent, { services: after }: ReleaseContent): string[] {
  const old = new Map(before.map((service) => [service.name, service]))
  const now = new Map(after.map((service) => [service.name, service]))
  const gone = [...old.keys()].filter((name) => !now.has(name)).map((name) => `without service ${name}`)
  const rest = [...now].flatMap(([name, service]) => {
    const was = old.get(name)
    if (!was) return [`new service ${name}`]
    return [...new Set(diff(was, service).map(({ path }) => fieldOf(path)))].map((field) => `${field} of ${name}`)
  })
  return [...rest, ...gone]
}

/** Words of the fields of a chart; the others are how Helm is asked. */
const chartWords: Readonly<Record<string, string>> = {
  chart: 'the chart',
  releaseName: 'release name of the chart',
  valuesFiles: 'values of the chart',
  values: 'values of the chart',
  set: 'values of the chart',
}

function sourceChanges({ source: before }: ReleaseContent, { source: after }: ReleaseContent): string[] {
  const [was, is] = [sourceType(before), sourceType(after)]
  if (was !== is) return [...(is ? [`new ${sourceWord[is]}`] : []), ...(was ? [`without ${sourceWord[was]}`] : [])]
  if (is === 'manifests') return diff(before, after).length > 0 ? ['manifests'] : []
  const fields = diff(before?.helm ?? {}, after?.helm ?? {}).map(({ path }) => fieldOf(path))
  return [...new Set(fields.map((field) => chartWords[field] ?? 'options of the chart'))]
}

const sourceWord = { manifests: 'manifests', helm: 'chart' } as const

function secretChanges(
  { secretVersions: before }: ReleaseContent,
  { secretVersions: after }: ReleaseContent,
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]]
    if (was === is) return []
    if (was === undefined) return [`new secret ${name}`]
    return is === undefined ? [`without secret ${name}`] : [`secret ${name} v${was} to v${is}`]
  })
}

/** The first word of a path. */
const fieldOf = (path: string): string => /^\w+/.exec(path)?.[0] ?? path

function shortened(text: string): string {
  return text.length <= longestSummary ? text : `${text.slice(0, longestSummary - 1)}…`
}
