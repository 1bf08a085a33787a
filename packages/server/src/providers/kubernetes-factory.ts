/** Kubernetes clusters: as many as there are Providers of this type, each a cluster of its own. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Call, Fault, isFault, type KubernetesSettings, type ProviderSpec } from '@gantry/core'
import type { Engine } from '@gantry/providers'
import type { ClusterConfig, KubernetesApi } from '@gantry/providers/kubernetes'
import type { EngineFactory, EngineWish } from './engine-factories.ts'
import { clusterIdentity } from './kubernetes-identity.ts'

/** Whoever looks shall know within seconds that a cluster is away; one that is far may take a little longer to say so. */
const health = { everyMs: 2_000, withinMs: 4_000 }

export type KubernetesFactoryOptions = {
  /** Of the server: what Helm is given and says lies in it while it runs. Left out: there are no charts. */
  readonly dataDir?: string
  /** For whoever watches what is asked of a cluster, or breaks it. */
  readonly wrapApi?: (api: KubernetesApi) => KubernetesApi
  /** Left out: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

export function kubernetesFactory(options: KubernetesFactoryOptions = {}): EngineFactory {
  const { dataDir, wrapApi = (api) => api, env = process.env } = options
  /** By cluster: the Provider that has it. */
  const taken = new Map<string, string>()
  return async (wish, call) => {
    // Whoever never opens one does not pay for it.
    const { connectKubernetes, kubernetesEngine, settingsFrom, variables, writeKubeconfig } = await import(
      '@gantry/providers/kubernetes'
    )
    const { name, installation, clock, leaving } = wish
    const settings = settingsOf(wish.spec)
    const config = await clusterOf(settings, wish, env, call)
    const usual = settingsFrom({ labels: settings.labels, imagePullSecrets: settings.imagePullSecrets }, env)
    const { region, country, city } = settingsFrom(wish.spec.location, env)
    const api = wrapApi(await connectKubernetes(config, call, { clock, env }))
    let cluster: string | undefined
    try {
      cluster = await claim(taken, name, api, call)
      const own = cluster
      const charts = dataDir !== undefined && {
        charts: {
          kubeconfig: (during: Call) => writeKubeconfig(config, { clock, env }, during),
          folder: join(dataDir, 'helm', name),
          ...(settings.helm !== undefined && { helm: settings.helm }),
          ...(settings.chartFolders && { chartFolders: settings.chartFolders }),
          ...(settings.insecureRegistries && { plainHttp: settings.insecureRegistries }),
        },
      }
      const engine = await kubernetesEngine(
        {
          installation,
          clock,
          leaving,
          api,
          ...namespaces(settings, env[variables.namespace]?.trim()),
          labels: usual.labels,
          imagePullSecrets: usual.imagePullSecrets,
          ...(settings.insecureRegistries && { insecureRegistries: settings.insecureRegistries }),
          ...(settings.hostFolders && { hostFolders: settings.hostFolders }),
          ...(settings.allow && { allow: settings.allow }),
          drainSeconds: settings.drainSeconds,
          reach: settings.reach,
          ...charts,
        },
        call,
      )
      return {
        engine: withPlace(engine, { region, country, city }),
        health,
        close: async () => {
          taken.delete(own)
          await engine.close()
          api.close()
        },
      }
    } catch (error) {
      if (cluster !== undefined) taken.delete(cluster)
      api.close()
      throw error
    }
  }
}

function settingsOf({ kubernetes }: ProviderSpec): KubernetesSettings {
  if (kubernetes) return kubernetes
  throw new Fault('schema', 'A provider of type kubernetes must say how its cluster is spoken to', {
    issues: [{ path: 'spec.kubernetes', message: 'is required' }],
  })
}

/** What the Provider says wins over the environment of the server, and names the whole cluster where it names any of it. */
async function clusterOf(
  { kubeconfig, context, inCluster }: KubernetesSettings,
  wish: EngineWish,
  env: NonNullable<KubernetesFactoryOptions['env']>,
  call: Call,
): Promise<ClusterConfig> {
  const { clusterFromText, resolveCluster, settingsFrom } = await import('@gantry/providers/kubernetes')
  if (kubeconfig?.secret) return await fromSecret(kubeconfig.secret)
  const isSaid = kubeconfig !== undefined || inCluster !== undefined
  const wanted = isSaid ? { kubeconfig: kubeconfig?.path, context, inCluster } : settingsFrom({ context }, env)
  return await resolveCluster(defined(wanted), { env, home: homedir() }, call)

  async function fromSecret(secret: NonNullable<NonNullable<KubernetesSettings['kubeconfig']>['secret']>) {
    const { name, tenant, key } = secret
    const text = await wish.secrets.resolve({ tenant, name, key }, call).catch((error: unknown) => {
      throw isFault(error, 'not_found') ? noKubeconfig(secret, error) : error
    })
    const from = `the secret "${name}" of tenant "${tenant}"`
    return clusterFromText(text.value.reveal(), { from, ...(context !== undefined && { context }) })
  }
}

type Wanted = {
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
  readonly inCluster?: boolean | undefined
}

const defined = ({ kubeconfig, context, inCluster }: Wanted) => ({
  ...(kubeconfig !== undefined && { kubeconfig }),
  ...(context !== undefined && { context }),
  ...(inCluster !== undefined && { inCluster }),
})

function noKubeconfig(
  { name, tenant, key }: { readonly name: string; readonly tenant: string; readonly key: string },
  cause: Fault,
): Fault {
  const needed = `It needs the value "${key}" in tenant "${tenant}": the kubeconfig that the cluster is spoken to with`
  return new Fault('secret_not_found', `${cause.message}. ${needed}`, {
    issues: [{ path: 'spec.kubernetes.kubeconfig.secret', message: `"${name}" has no kubeconfig` }],
    cause,
  })
}

/** A namespace for all only where somebody said so; what a Provider says of namespaces in any way wins. */
function namespaces({ namespace, namespacePrefix }: KubernetesSettings, usual: string | undefined) {
  if (namespacePrefix !== undefined) return { namespacePrefix }
  const one = namespace ?? (usual || undefined)
  return one === undefined ? {} : { namespace: one }
}

/** Where it is, by the environment of the server where the Provider does not say: see `GET /v1/regions`. */
function withPlace<E extends Engine>(engine: E, place: Readonly<Record<'region' | 'country' | 'city', string>>): E {
  const info: Engine['info'] = async (call) => {
    const said = await engine.info(call)
    return { ...said, facts: { ...said.facts, ...place } }
  }
  return { ...engine, info }
}

/**
 * What is ours in a cluster is told by the mark of the installation alone, so two Providers on one would each take what the
 * other has for its own. The address does not tell: one cluster can have several.
 */
async function claim(taken: Map<string, string>, name: string, api: KubernetesApi, call: Call): Promise<string> {
  const cluster = await clusterIdentity(api, call)
  const holder = taken.get(cluster)
  if (holder !== undefined && holder !== name) {
    const message = `This is the cluster of the Provider "${holder}" already, and two cannot share one; use that one`
    throw new Fault('engine_taken', message, {
      issues: [{ path: 'spec.kubernetes', message: `is where "${holder}" is` }],
    })
  }
  taken.set(cluster, name)
  return cluster
}
