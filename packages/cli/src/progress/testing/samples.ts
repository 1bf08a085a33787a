/** Workloads, rollouts and instances as a server might have them, with only what progress looks at. */
import type { Instance, Picture, Rollout, Workload } from '../picture.ts'
import type { Goal } from '../verdict.ts'

export const epoch = Date.parse('2026-01-31T12:00:00Z')
export const at = (seconds: number): string => new Date(epoch + seconds * 1000).toISOString()

export const goal: Goal = { workload: 'web', tenant: 'default', want: 'settled', uid: 'u1', generation: 2, since: 100 }

type Said = readonly [status: 'True' | 'False' | 'Unknown', reason: string, message: string]

export type WorkloadMore = {
  readonly metadata?: object
  readonly spec?: object
  readonly status?: object
  readonly said?: Readonly<Record<string, Said>>
}

/** Settled, unless told otherwise. */
export function workload({ metadata = {}, spec = {}, status = {}, said = {} }: WorkloadMore = {}): Workload {
  const conditions: Record<string, Said> = {
    Ready: ['True', 'converged', '2 of 2 replicas are ready'],
    Progressing: ['False', 'converged', 'Nothing left to do'],
    Degraded: ['False', 'converged', ''],
    ...said,
  }
  return {
    kind: 'Workload',
    metadata: { name: 'web', uid: 'u1', generation: 2, resourceVersion: 100, ...metadata },
    spec: { replicas: 2, run: 'running', services: [{ name: 'web' }], ...spec },
    status: {
      observedGeneration: 2,
      replicas: 2,
      readyReplicas: 2,
      release: 2,
      rollout: 'web-r2',
      conditions: Object.entries(conditions).map(([type, [is, reason, message]]) => ({
        type,
        status: is,
        reason,
        message,
        since: at(0),
      })),
      ...status,
    },
  } as unknown as Workload
}

export function rollout(status: object = {}, spec: object = {}, resourceVersion = 120): Rollout {
  return {
    kind: 'Rollout',
    metadata: { name: 'web-r2', resourceVersion, createdAt: at(0) },
    spec: { workload: 'web', number: 2, release: 2, trigger: 'deploy', strategy: { type: 'rolling' }, ...spec },
    status: { phase: 'succeeded', ...status },
  } as unknown as Rollout
}

export function replica(index: number, more: object = {}, service: object = {}) {
  return {
    engineId: `e${index}`,
    index,
    release: 'v2',
    specHash: 'h',
    ready: true,
    terminating: false,
    services: { web: { role: 'main', phase: 'running', restarts: 0, startedAt: at(index), ...service } },
    endpoints: [{ service: 'web', port: 'http', dial: { host: '127.0.0.1', port: 2000 + index } }],
    ...more,
  }
}

export function instance(replicas: readonly unknown[], status: object = {}, spec: object = {}): Instance {
  return {
    kind: 'Instance',
    metadata: { name: 'web-a' },
    spec: { workload: 'web', slot: 'a', provider: 'local', release: 2, replicas: 2, ...spec },
    status: { replicas, ...status },
  } as unknown as Instance
}

type Parts = { workload?: Workload | undefined; rollout?: Rollout; instances?: readonly Instance[] }

export function picture({ workload: one, rollout: newest, instances = [] }: Parts): Picture {
  return {
    workloads: new Map(one ? [[one.metadata.name, one]] : []),
    rollouts: new Map(newest ? [[newest.metadata.name, newest]] : []),
    instances: new Map(instances.map((each) => [`${each.spec.workload}-${each.spec.slot}`, each])),
  }
}
