/** All that an engine begins with: what the cluster is, and what of ours is on it. */
import type { Call } from '@gantry/core'
import { Applier } from './apply/applier.ts'
import { Converging } from './apply/converge.ts'
import { Namespaces } from './apply/namespaces.ts'
import { WorkloadServices } from './apply/workload-service.ts'
import { ClusterCache } from './cluster/cluster-cache.ts'
import { workloadDrift } from './drift-paths.ts'
import { gpusOffered } from './figures/capacity.ts'
import { splitsStreams } from './logs.ts'
import type { KubernetesOptions } from './options.ts'
import { type NamespaceChoice, type PlanSettings, planDefaults } from './plan/settings.ts'
import { isRoutable, untilRoutable } from './routable.ts'
import { Sources } from './sources/sources.ts'

export type OpenedCluster = {
  readonly cache: ClusterCache
  readonly settings: PlanSettings
  readonly namespaces: Namespaces
  readonly services: WorkloadServices
  readonly converging: Converging
  /** Streams of a container can be read apart. */
  readonly split: boolean
  readonly sources: Sources
}

/** `life` ends with the engine, also where it cannot be opened: nobody is left then who could end it. */
export async function openCluster(
  options: KubernetesOptions,
  life: AbortController,
  call: Call,
): Promise<OpenedCluster> {
  const { api, installation, clock, namespace } = options
  const cache = new ClusterCache({
    api,
    installation,
    clock,
    life,
    connectionAgeMs: connectionAge(options.drainSeconds ?? planDefaults.drainSeconds),
    ...(namespace === undefined ? {} : { namespace }),
  })
  try {
    const [version] = await Promise.all([api.discovery.version(call), cache.open(call)])
    await findWay(options, cache, life, call)
    const minor = Number.parseInt(version.minor, 10) || 0
    const settings = settingsOf(options, { minor }, gpusOffered(cache.nodes()))
    cache.drifts = (desired, live) => workloadDrift(desired, live, settings)
    const { namespaces: choice, labels } = settings
    const doubt = (error: unknown): void => cache.doubt(error)
    const namespaces = new Namespaces({ api, clock, installation, namespaces: choice, labels, life, doubt })
    const applier = new Applier({ api, cache, installation })
    const services = new WorkloadServices({ api, cache, applier, settings })
    const converging = new Converging({ api, cache, applier, namespaces, services, settings })
    const split = await splitsStreams(api, minor, call)
    const { via, rooms } = cache
    const sources = new Sources(options, { namespaceOf: (tenant) => namespaces.of(tenant), via, clock, rooms })
    return { cache, settings, namespaces, services, converging, split, sources }
  } catch (error) {
    life.abort(error)
    await cache.close()
    throw error
  }
}

/** How addresses of the cluster are reached from here, as it is said or as it turns out. */
async function findWay(
  { api, clock, reach = 'auto' }: KubernetesOptions,
  cache: ClusterCache,
  life: Call,
  call: Call,
): Promise<void> {
  cache.via = reach === 'auto' ? ((await isRoutable(api, clock, call)) ? 'direct' : 'tunnel') : reach
  if (reach !== 'auto' || cache.via === 'direct') return
  untilRoutable(api, clock, () => cache.reached('direct'), life).catch((error: unknown) => cache.doubt(error))
}

/** Well within the time in which a replica that leaves still answers. */
const connectionAge = (drainSeconds: number): number | undefined =>
  drainSeconds === 0 ? undefined : Math.floor((drainSeconds * 2000) / 3)

function settingsOf(
  options: KubernetesOptions,
  serverVersion: PlanSettings['serverVersion'],
  gpuResources: readonly string[],
): PlanSettings {
  const { installation, namespace, namespacePrefix, labels = {}, imagePullSecrets = [], hostFolders = [] } = options
  const namespaces: NamespaceChoice =
    namespace === undefined ? { prefix: namespacePrefix ?? planDefaults.prefix } : { shared: namespace }
  return {
    installation,
    namespaces,
    labels,
    imagePullSecrets,
    hostFolders,
    drainSeconds: options.drainSeconds ?? planDefaults.drainSeconds,
    gpuResources,
    ...(options.storageClass === undefined ? {} : { storageClass: options.storageClass }),
    serverVersion,
  }
}
