import { faceOf } from '../face.ts'
import type { WorkloadSpec } from './spec.ts'
import type { WorkloadStatus } from './workload.ts'

export const workloadFace = faceOf<WorkloadSpec, WorkloadStatus>()({
  kind: 'Workload',
  plural: 'workloads',
  short: 'wl',
  scope: 'tenant',
  about: 'What a user wants to run: services side by side, in as many replicas as wanted, on one provider.',
  columns: [
    { title: 'STATE', value: ({ status }) => status.state ?? 'unknown' },
    { title: 'READY', value: ({ spec, status }) => `${status.readyReplicas ?? '?'}/${spec.replicas}` },
    { title: 'RELEASE', value: ({ status }) => (status.release === undefined ? '-' : `v${status.release}`) },
    { title: 'TYPE', wide: true, value: ({ spec }) => spec.type },
    { title: 'PROVIDER', wide: true, value: ({ spec }) => spec.provider ?? 'default' },
    { title: 'STRATEGY', wide: true, value: ({ spec }) => spec.strategy.type },
  ],
})
