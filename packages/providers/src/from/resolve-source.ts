/** From a source as a release keeps it to what an engine gets: text as bytes, and credentials by version as values. */
import { type Call, type ChartSpec, Fault, type SourceSpec } from '@gantry/core'
import type { SecretSource } from '../secret-source.ts'
import type { DesiredSource, HelmChart } from '../source.ts'
import { type Credentials, credentialsOf } from './resolve-secrets.ts'

type Versions = Readonly<Record<string, number>>

/** With `versions`, exactly those; what they do not name is read as it is now, and named in the answer. */
export async function resolveSource(
  secrets: SecretSource,
  tenant: string,
  source: SourceSpec | undefined,
  versions: Versions,
  call: Call,
): Promise<{ readonly source?: DesiredSource; readonly versions: Versions }> {
  const name = credentialsName(source)
  if (!source || name === undefined) return { ...(source && { source: desiredSource(source) }), versions: {} }
  const credentials = await credentialsOf(secrets, tenant, name, versions[name], call)
  return { source: desiredSource(source, credentials), versions: { [name]: credentials.version } }
}

/** The Secret that a source refers to. */
export function credentialsName(source: SourceSpec | undefined): string | undefined {
  return source?.helm?.chart.repository?.credentials
}

/** Pure: with everything looked up already. */
export function desiredSource({ manifests, helm }: SourceSpec, credentials?: Credentials): DesiredSource {
  if (manifests) return { type: 'manifests', text: manifests.text }
  if (!helm) throw new Fault('schema', 'A source is of manifests or of a chart, and this one of neither')
  const { chart, releaseName, valuesFiles, values, set, wait, atomic, timeoutSeconds, hooks, crds } = helm
  if (typeof values === 'string') {
    throw new Fault('secret_not_found', 'The values of the chart are a reference that nobody has opened; apply it anew')
  }
  return {
    type: 'helm',
    chart: chartOf(chart, credentials),
    ...(releaseName === undefined ? {} : { releaseName }),
    valuesFiles,
    values,
    set,
    wait,
    atomic,
    timeoutSeconds,
    hooks,
    crds,
  }
}

function chartOf({ archive, repository, path }: ChartSpec, credentials: Credentials | undefined): HelmChart {
  if (archive !== undefined) return { from: 'archive', content: Buffer.from(archive, 'base64') }
  if (path !== undefined) return { from: 'path', path }
  if (!repository) throw new Fault('schema', 'A chart is an archive, of a repository or at a path')
  const { url, name, version } = repository
  return {
    from: 'repository',
    url,
    name,
    ...(version === undefined ? {} : { version }),
    ...(credentials && { username: credentials.username, password: credentials.password }),
  }
}
