/** Looks at a cluster past whatever is tested there, with a client of its own. */
import type { Call } from '@gantry/core'
import type { KubernetesAddress } from '@gantry/engines'
import type { KubernetesApi, Resource } from '../kubernetes/api/api.ts'
import { connectKubernetes } from '../kubernetes/api/connect.ts'
import { resources } from '../kubernetes/api/resources.ts'
import type { KubeObject } from '../kubernetes/api/types/meta.ts'
import { resolveCluster } from '../kubernetes/config/resolve.ts'
import { label } from '../labels.ts'

export type SeenObject = {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

export type SeenPod = SeenObject & {
  readonly uid: string
  /** `running` only where every container is ready and nobody has asked it to leave. */
  readonly phase: string
  /** Of all its containers: another after every start. */
  readonly run: string
  readonly restarts: number
}

export type KubernetesLook = {
  readonly api: KubernetesApi
  namespaces(call: Call): Promise<readonly string[]>
  serviceAddress(namespace: string, name: string, call: Call): Promise<string>
  /** All that is of any installation, in these kinds; left out: in all kinds that the server has, but for what is said of others. */
  owned(kinds: readonly Resource[] | undefined, call: Call): Promise<readonly SeenObject[]>
  pods(call: Call): Promise<readonly SeenPod[]>
  close(): void
}

/** Said of other objects by the cluster itself; it goes in its time. */
const words = new Set(['Event'])

export async function kubernetesLook(
  { kubeconfig }: Pick<KubernetesAddress, 'kubeconfig'>,
  call: Call,
): Promise<KubernetesLook> {
  const config = await resolveCluster({ kubeconfig, context: 'admin' }, { env: {} }, call)
  const api = await connectKubernetes(config, call)
  const ours = { labelSelector: label.installation }

  async function ofKind(resource: Resource, call: Call): Promise<readonly SeenObject[]> {
    const { items } = await api.objects.list({ resource }, { ...ours, metadataOnly: true }, call)
    return items.map((item) => seen(resource.kind, item))
  }

  return {
    api,
    async namespaces(call) {
      const { items } = await api.objects.list({ resource: resources.namespace }, { metadataOnly: true }, call)
      return items.map(({ metadata }) => metadata.name)
    },
    async serviceAddress(namespace, name, call) {
      const at = { resource: resources.service, namespace, name }
      const found = await api.objects.get<KubeObject & { readonly spec?: { readonly clusterIP?: string } }>(at, call)
      const address = found?.spec?.clusterIP
      if (address === undefined) throw new Error(`there is no address of the Service ${namespace}/${name}`)
      return address
    },
    async owned(kinds, call) {
      const which = kinds ?? (await api.discovery.all(call)).resources.filter(({ kind }) => !words.has(kind))
      return (await Promise.all(which.map((resource) => ofKind(resource, call)))).flat()
    },
    async pods(call) {
      const { items } = await api.objects.list<Pod>({ resource: resources.pod }, ours, call)
      return items.map(seenPod)
    },
    close: () => api.close(),
  }
}

const seen = (kind: string, { metadata: { namespace = '', name, labels = {} } }: KubeObject): SeenObject => ({
  kind,
  namespace,
  name,
  labels,
})

type Pod = KubeObject & {
  readonly status?: {
    readonly phase?: string
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
    readonly containerStatuses?: readonly { readonly containerID?: string; readonly restartCount?: number }[]
  }
}

function seenPod(pod: Pod): SeenPod {
  const { phase = 'Unknown', conditions = [], containerStatuses = [] } = pod.status ?? {}
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  const isLeaving = pod.metadata.deletionTimestamp !== undefined
  return {
    ...seen('Pod', pod),
    uid: pod.metadata.uid ?? '',
    phase: isLeaving ? 'leaving' : phase === 'Running' && isReady ? 'running' : `${phase}, not ready`,
    run: containerStatuses.map(({ containerID = 'none' }) => containerID).join(),
    restarts: containerStatuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
  }
}
