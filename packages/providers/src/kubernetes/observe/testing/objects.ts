/** Objects as a cluster has them, for tests of what is read of them. */
import { label } from '../../../labels.ts'
import type { Ref } from '../../../ref.ts'
import type { ContainerStatus, Pod, WorkloadObject } from '../objects.ts'
import { annotation, Records, type ServiceRecord } from '../record.ts'
import type { Trimming } from '../trim.ts'

export const ref: Ref = { tenant: 'acme', workload: 'web', uid: 'u1', slot: 'a' }
export const trimming: Trimming = { installation: 'here', records: new Records(), same: (each) => each }

export const labels = {
  [label.installation]: 'here',
  [label.tenant]: ref.tenant,
  [label.workload]: ref.workload,
  [label.uid]: ref.uid,
  [label.slot]: ref.slot,
  [label.release]: 'r1',
  [label.specHash]: 'h1',
}

export const web: ServiceRecord = {
  name: 'web',
  role: 'main',
  check: false,
  ports: [{ name: 'http', port: 8080, protocol: 'http' }],
}

/** A second of the day on which all tests happen. */
export const second = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z')

export const running = (name: string, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  state: { running: { startedAt: second(100) } },
  ready: true,
  started: true,
  restartCount: 0,
  containerID: `containerd://${name}`,
  ...more,
})

export const waiting = (name: string, reason: string, more: Partial<ContainerStatus> & { message?: string } = {}) => {
  const { message, ...rest } = more
  const state = { waiting: { reason, ...(message === undefined ? {} : { message }) } }
  return { name, state, ready: false, started: false, restartCount: 0, ...rest } satisfies ContainerStatus
}

export const ended = (exitCode: number, more: { reason?: string; message?: string } = {}) => ({
  terminated: { exitCode, reason: 'Error', startedAt: second(100), finishedAt: second(110), ...more },
})

export type PodMore = {
  readonly name?: string
  readonly services?: readonly ServiceRecord[]
  readonly metadata?: Partial<Pod['metadata']>
  readonly spec?: Pod['spec']
  readonly status?: Pod['status']
}

export const pod = ({ name = 'web-1', services = [web], metadata, spec, status }: PodMore = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'gantry-acme',
    uid: `uid-${name}`,
    resourceVersion: '7',
    creationTimestamp: second(90),
    labels,
    annotations: { [annotation.services]: JSON.stringify(services) },
    ...metadata,
  },
  spec: { nodeName: 'node', ...spec },
  status: {
    phase: 'Running',
    podIP: '10.0.0.1',
    hostIP: '192.168.0.1',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: second(101) }],
    containerStatuses: [running('web')],
    ...status,
  },
})

export const deployment = (
  more: Pick<WorkloadObject, 'spec' | 'status'> & { wishes?: object } = {},
): WorkloadObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web-a',
    namespace: 'gantry-acme',
    uid: 'uid-deployment',
    resourceVersion: '5',
    generation: 2,
    labels,
    annotations: { [annotation.wishes]: JSON.stringify({ minReadySeconds: 0, notEnforced: [], ...more.wishes }) },
  },
  spec: {
    replicas: 1,
    template: { metadata: { labels, annotations: { [annotation.services]: JSON.stringify([web]) } } },
    ...more.spec,
  },
  status: { observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1, ...more.status },
})
