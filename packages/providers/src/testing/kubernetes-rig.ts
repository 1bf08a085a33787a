/** The rig's cluster, for all tests of one process: reached once, and let go when it ends. */
import { randomUUID } from 'node:crypto'
import { engine, type KubernetesAddress } from '@gantry/engines'
import type { KubernetesApi } from '../kubernetes/api/api.ts'
import { connectKubernetes } from '../kubernetes/api/connect.ts'
import { resources } from '../kubernetes/api/resources.ts'
import type { ClusterConfig } from '../kubernetes/config/cluster-config.ts'
import { resolveCluster } from '../kubernetes/config/resolve.ts'

/** Who the rig's kubeconfig knows: two who may do everything, and one who may do nothing until a test says otherwise. */
export type RigContext = 'admin' | 'admin-token' | 'limited'

export type KubernetesRig = {
  readonly address: KubernetesAddress
  /** By certificate, who may do everything. */
  readonly config: ClusterConfig
  /** Past whatever is tested: to look, and to do what a person would do. */
  readonly api: KubernetesApi
  configOf(context: RigContext): Promise<ClusterConfig>
  /** One that nobody else has; to be removed with `end`. */
  ownNamespace(labels?: Readonly<Record<string, string>>): Promise<OwnNamespace>
}

export type OwnNamespace = { readonly name: string; end(): Promise<void> }

export const testManager = 'gantry-test'

const call = { signal: new AbortController().signal }
let known: Promise<KubernetesRig | { readonly missing: string }> | undefined

/** Or why there is none. */
export function kubernetesRig(): Promise<KubernetesRig | { readonly missing: string }> {
  known ??= reach()
  return known
}

async function reach(): Promise<KubernetesRig | { readonly missing: string }> {
  const found = await engine('kubernetes', call)
  if (found.state === 'missing') return { missing: found.why }
  return rigAt(found.address)
}

/** Of whatever cluster of the rig, also one that is somebody's alone. */
export async function rigAt(address: KubernetesAddress): Promise<KubernetesRig> {
  const configOf = (context: RigContext): Promise<ClusterConfig> =>
    resolveCluster({ kubeconfig: address.kubeconfig, context }, { env: {} }, call)
  const config = await configOf('admin')
  const api = await connectKubernetes(config, call)
  return {
    address,
    config,
    api,
    configOf,
    async ownNamespace(labels = {}) {
      const name = `test-${randomUUID().slice(0, 8)}`
      const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
      await api.objects.create({ resource: resources.namespace }, object, { fieldManager: testManager }, call)
      return {
        name,
        // Not waited for: what is in it goes by itself.
        end: async () => void (await api.objects.delete({ resource: resources.namespace, name }, {}, call)),
      }
    },
  }
}
