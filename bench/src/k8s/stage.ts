/** What benches of Kubernetes run on: a cluster that nobody else uses, the whole program with it as its provider, and kubectl. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubernetesAddress, kubernetesTools, type Settings, startPrivate } from '@gantry/engines'
import type { KubernetesApi } from '@gantry/providers/kubernetes'
import { kubernetesLook } from '@gantry/providers/testing'
import { type System, startSystem } from '@gantry/server/testing'
import { once } from '../cli-cold/timed.ts'

type Call = { readonly signal: AbortSignal }

export type Cluster = {
  readonly address: KubernetesAddress
  /** Past whatever is measured. */
  readonly api: KubernetesApi
  close(): Promise<void>
}

export type Stage = Cluster & {
  readonly system: System
  /** Milliseconds that kubectl takes. */
  kubectl(...args: readonly string[]): Promise<number>
}

export const provider = 'kubernetes'
export const namespacePrefix = 'bench'

export async function openCluster(call: Call, settings: Settings = {}): Promise<Cluster> {
  const cluster = await startPrivate('kubernetes', call, settings)
  const stop = () => cluster.stop({ signal: AbortSignal.timeout(60_000) })
  try {
    const { api, close } = await kubernetesLook(cluster.address, call)
    return {
      address: cluster.address,
      api,
      async close() {
        close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export async function openStage(call: Call): Promise<Stage> {
  const cluster = await openCluster(call)
  try {
    const { kubectl: file } = await kubernetesTools(call)
    const home = await mkdtemp(join(tmpdir(), 'gantry-bench-kubernetes-'))
    const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env
    const env = { ...rest, HOME: home, KUBECONFIG: cluster.address.kubeconfig }
    const system = await openSystem(cluster, call)
    return {
      ...cluster,
      system: system.system,
      kubectl: (...args) => once({ file, args, env }, call.signal),
      async close() {
        try {
          await system.close()
        } finally {
          await cluster.close()
          await rm(home, { recursive: true })
        }
      },
    }
  } catch (error) {
    await cluster.close()
    throw error
  }
}

/** The server as a program of its own, which knows one Provider: the cluster. */
export async function openSystem(
  { address: { kubeconfig } }: Cluster,
  call: Call,
): Promise<{ readonly system: System; close(): Promise<void> }> {
  const system = await startSystem()
  const close = async (): Promise<void> => {
    const left = await system.dispose()
    if (left.length > 0) throw new Error(`left over: ${left.join('; ')}`)
  }
  try {
    await system.start()
    await system.client.providers.put(
      {
        apiVersion: 'gantry/v1',
        kind: 'Provider',
        metadata: { name: provider },
        spec: { type: 'kubernetes', tenants: ['*'], kubernetes: { kubeconfig: { path: kubeconfig }, namespacePrefix } },
      },
      call,
    )
    return { system, close }
  } catch (error) {
    await close()
    throw error
  }
}
