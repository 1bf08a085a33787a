/** Nodes that are nowhere: objects that say that they are well, so that the real scheduler gives them pods. */
import { systemClock } from '@gantry/core'
import type { KubernetesApi } from '@gantry/providers/kubernetes'
import { resources } from '@gantry/providers/testing'

type Call = { readonly signal: AbortSignal }

export const fake = { key: 'bench.example/fake', value: 'yes' } as const

const lease = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true }
const leases = { resource: lease, namespace: 'kube-node-lease' }
const options = { fieldManager: 'bench' }
/** Three times before anybody misses them. */
const renewEveryMs = 3_000

/** Returns what lets them go stale again. */
export async function openFakeNodes({ objects }: KubernetesApi, count: number, call: Call): Promise<() => void> {
  const names = Array.from({ length: count }, (_, at) => `fake-${at}`)
  await Promise.all(
    names.map(async (name, at) => {
      await objects.create({ resource: resources.node }, nodeOf(name), options, call)
      const status = { type: 'merge', body: { status: statusOf(at) } } as const
      await objects.patch({ resource: resources.node, name }, status, { ...options, subresource: 'status' }, call)
      const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: now() }
      const held = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec }
      await objects.create(leases, held, options, call)
    }),
  )
  let isOver = false
  let cancel = (): void => undefined
  const renew = async (): Promise<void> => {
    const patch = { type: 'merge', body: { spec: { renewTime: now() } } } as const
    await Promise.all(names.map((name) => objects.patch({ ...leases, name }, patch, options, call)))
  }
  // One that is late is noticed: its pods are shown as unknown, and whoever waits for them says so.
  const again = (): void => {
    if (isOver) return
    cancel = systemClock.after(renewEveryMs, () => void renew().catch(say).finally(again))
  }
  const say = (error: unknown): void => void process.stderr.write(`the fake nodes: ${error}\n`)
  again()
  return () => {
    isOver = true
    cancel()
  }
}

/** In microseconds, as leases have it. */
const now = (): string => new Date().toISOString().replace('Z', '000Z')

function nodeOf(name: string) {
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', [fake.key]: fake.value }
  const spec = { taints: [{ ...fake, effect: 'NoSchedule' }] }
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec }
}

function statusOf(at: number) {
  const room = { cpu: '64', memory: '256Gi', pods: '200', 'ephemeral-storage': '1Ti' }
  const times = { lastHeartbeatTime: new Date().toISOString(), lastTransitionTime: new Date().toISOString() }
  const well = { status: 'True', reason: 'KubeletReady', message: 'nobody is there', ...times }
  return {
    capacity: room,
    allocatable: room,
    conditions: [{ type: 'Ready', ...well }],
    addresses: [{ type: 'InternalIP', address: `10.255.0.${at + 1}` }],
  }
}
