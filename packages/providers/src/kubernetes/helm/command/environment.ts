/** What helm is given as environment: folders of its own, and nothing of ours or of the one who started us. Pure. */
import { join } from 'node:path'
import { markerName } from '../../../proc/marker.ts'

/** Where things are within the folder of one run. */
export type RunPlaces = {
  readonly folder: string
  readonly home: string
  readonly temporary: string
  readonly kubeconfig: string
  readonly repositories: string
  readonly registry: string
  readonly output: string
  readonly errors: string
  /** Which process of ours made the folder. */
  readonly owner: string
}

export function placesIn(folder: string): RunPlaces {
  return {
    folder,
    home: join(folder, 'home'),
    temporary: join(folder, 'tmp'),
    kubeconfig: join(folder, 'kubeconfig'),
    repositories: join(folder, 'repositories.yaml'),
    registry: join(folder, 'registry.json'),
    output: join(folder, 'output'),
    errors: join(folder, 'errors'),
    owner: join(folder, 'owner'),
  }
}

/** Where this machine keeps whom it trusts, if it is said at all. */
const trustVariables = ['SSL_CERT_FILE', 'SSL_CERT_DIR'] as const
/** How the outside is reached: for repositories, and never for the cluster. */
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'] as const

export function environmentOf(
  places: RunPlaces,
  mark: string,
  reaches: 'cluster' | 'repository',
  own: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const inherited = [...trustVariables, ...(reaches === 'repository' ? proxyVariables : [])]
  return {
    ...Object.fromEntries(inherited.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]]))),
    HOME: places.home,
    TMPDIR: places.temporary,
    LC_ALL: 'C',
    HELM_DRIVER: 'secret',
    HELM_CACHE_HOME: join(places.home, 'cache'),
    HELM_CONFIG_HOME: join(places.home, 'config'),
    HELM_DATA_HOME: join(places.home, 'data'),
    HELM_PLUGINS: join(places.home, 'plugins'),
    HELM_REPOSITORY_CONFIG: places.repositories,
    HELM_REPOSITORY_CACHE: join(places.home, 'repository'),
    HELM_REGISTRY_CONFIG: places.registry,
    KUBECONFIG: places.kubeconfig,
    [markerName]: mark,
  }
}
