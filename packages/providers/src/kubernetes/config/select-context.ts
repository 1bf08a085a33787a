/** Pure: one context of a kubeconfig, as a cluster that can be connected to. Refuses what cannot be honoured, and says why. */
import type { ClusterConfig } from './cluster-config.ts'
import type { ClusterEntry, Kubeconfig } from './kubeconfig.ts'
import { material, type Place, refused } from './place.ts'
import { userOf } from './select-user.ts'

export type SelectOptions = {
  /** Left out: the current one. */
  readonly context?: string
  /** Whether files may be read and programs be run that it names: not for a text of somebody who may not do so here. */
  readonly trusted: boolean
  /** For people: where all this was read. */
  readonly from: string
}

export function selectContext(config: Kubeconfig, { context, trusted, from }: SelectOptions): ClusterConfig {
  const name = context ?? config.currentContext ?? onlyOne(config, from)
  const entry = config.contexts.get(name)
  if (!entry) throw refused(`${from} has no context ${name}; it has ${listed(config.contexts)}`)
  const cluster = config.clusters.get(entry.cluster ?? '')
  if (!cluster) {
    throw refused(`context ${name} of ${from} names the cluster ${entry.cluster ?? '""'}, which is not there`)
  }
  const user = entry.user === undefined ? undefined : config.users.get(entry.user)
  if (entry.user !== undefined && !user) {
    throw refused(`context ${name} of ${from} names the user ${entry.user}, which is not there`)
  }
  const at: Place = { trusted, of: `context ${name} of ${from}` }
  const server = serverOf(cluster, at)
  const ca = material('certificate-authority', cluster.caText, cluster.caFile, cluster.origin, at)
  if (cluster.insecure && ca) {
    throw refused(`${at.of} has insecure-skip-tls-verify and a certificate authority; remove one of them`)
  }
  return {
    server,
    ...(ca && { ca }),
    ...(cluster.insecure && { insecure: true }),
    ...(cluster.tlsServerName !== undefined && { tlsServerName: cluster.tlsServerName }),
    ...(entry.namespace !== undefined && { namespace: entry.namespace }),
    user: userOf(entry.user ?? '', user, cluster, at),
    origin: at.of,
  }
}

function serverOf({ server, proxyUrl }: ClusterEntry, { of }: Place): string {
  if (proxyUrl !== undefined) {
    throw refused(
      `${of} has proxy-url ${proxyUrl}; Gantry speaks to a cluster directly only, so give it an address it can reach`,
    )
  }
  if (server === undefined) throw refused(`${of} has a cluster without server`)
  let url: URL
  try {
    url = new URL(server)
  } catch {
    throw refused(`${of} has the server ${server}, which is no address; write https://host:port`)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refused(`${of} has the server ${server}; only https:// and http:// are spoken`)
  }
  return url.href.replace(/\/+$/, '')
}

function onlyOne({ contexts }: Kubeconfig, from: string): string {
  const [first, ...others] = contexts.keys()
  if (first !== undefined && others.length === 0) return first
  throw refused(`${from} has no current context; name one of ${listed(contexts)}`)
}

function listed(entries: ReadonlyMap<string, unknown>): string {
  const names = [...entries.keys()]
  if (names.length === 0) return 'none'
  return names.length > 20 ? `${names.slice(0, 20).join(', ')} …` : names.join(', ')
}
