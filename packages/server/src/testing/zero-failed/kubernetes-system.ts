/** The whole of it with the rig's cluster as the provider, in namespaces of its own, of which none may be left at the end. */
import { randomUUID } from 'node:crypto'
import type { Client } from '@gantry/api'
import type { Call } from '@gantry/core'
import { engine, type KubernetesAddress } from '@gantry/engines'
import { type KubernetesLook, kubernetesLook } from '@gantry/providers/testing'
import type { LoadOptions } from '../../whole/testing/load.ts'
import { type System, startSystem } from '../../whole/testing/system.ts'
import { until } from '../../whole/testing/until.ts'
import { type WebOptions, webProgram, webWorkload } from '../../whole/testing/web-program.ts'
import { pushNodeImage } from './node-image.ts'

const provider = 'kubernetes'

export type KubernetesSystem = System & {
  readonly web: ReturnType<typeof kubernetesWeb>
  /** The address that the cluster itself gives a workload: kube-proxy leads from there to its pods. */
  service(name: string): Promise<LoadOptions>
}

export async function startKubernetesSystem(): Promise<KubernetesSystem> {
  const call = { signal: AbortSignal.timeout(15 * 60_000) }
  const found = await engine('kubernetes', call)
  if (found.state === 'missing') throw new Error(`there is no cluster: ${found.why}`)
  const { address } = found
  const image = await pushNodeImage(call)
  const look = await kubernetesLook(address, call)
  const namespacePrefix = `zero-${randomUUID().slice(0, 8)}`
  const system = await startSystem()
  let isTold = false
  return {
    ...system,
    get pid() {
      return system.pid
    },
    web: kubernetesWeb(image),
    async service(name) {
      const host = await look.serviceAddress(`${namespacePrefix}-default`, name, call)
      return { address: host, host: name, port: 8080, connections: 8, fresh: true, breathMs: 5 }
    },
    async start(env) {
      await system.start(env)
      if (isTold) return
      isTold = true
      await putKubernetes(system.client, address, { namespacePrefix })
    },
    async dispose() {
      try {
        // Before the server goes, which takes away what was deleted.
        const namespaces = await namespacesLeft(look, namespacePrefix, call)
        return [...namespaces, ...(await system.dispose())]
      } finally {
        look.close()
        found.release()
      }
    },
  }
}

export type KubernetesWishes = { readonly namespacePrefix: string; readonly drainSeconds?: number }

/** The Provider that workloads of `kubernetesWeb` are for. */
export async function putKubernetes(
  client: Client,
  { kubeconfig }: Pick<KubernetesAddress, 'kubeconfig'>,
  wishes: KubernetesWishes,
): Promise<void> {
  await client.providers.put({
    apiVersion: 'gantry/v1',
    kind: 'Provider',
    metadata: { name: provider },
    spec: { type: 'kubernetes', kubernetes: { kubeconfig: { path: kubeconfig }, ...wishes } },
  })
}

/** The web program in a pod, which only others than its own machine ask. */
export function kubernetesWeb(image: string) {
  return ({ env = {}, ...options }: WebOptions) => {
    const { spec, ...workload } = webWorkload({ ...options, env: { ...env, LISTEN: '0.0.0.0' } })
    const services = spec.services.map((service) => ({
      ...service,
      image,
      command: ['node', '-e', webProgram],
      // The kubelet shares a few cores with a whole cluster and its load: what is slow to say so is well all the same.
      healthCheck: { ...service.healthCheck, timeoutSeconds: 5 },
    }))
    return { ...workload, spec: { ...spec, provider, services } }
  }
}

async function namespacesLeft(look: KubernetesLook, prefix: string, call: Call): Promise<string[]> {
  const own = async () =>
    (await look.namespaces(call)).filter((name) => name.startsWith(prefix)).map((name) => `namespace ${name}`)
  return await until('no namespace to be left', own, (left) => left.length === 0, { withinMs: 60_000 }).catch(own)
}
