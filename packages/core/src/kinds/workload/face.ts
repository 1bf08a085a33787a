import { unknownSince } from '../columns.ts'
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
    {
      title: 'STATE',
      value: (object) => (unknownSince(object) === undefined ? (object.status.state ?? 'unknown') : 'unknown'),
      since: unknownSince,
    },
    {
      title: 'READY',
      value: (object) => {
        const ready = unknownSince(object) === undefined ? object.status.readyReplicas : undefined
        return `${ready ?? '?'}/${object.spec.replicas}`
      },
    },
    { title: 'RESTARTS', value: ({ status }) => String(status.restarts ?? '-') },
    { title: 'RELEASE', value: ({ status }) => (status.release === undefined ? '-' : `v${status.release}`) },
    { title: 'TYPE', wide: true, value: ({ spec }) => typeWord(spec) },
    { title: 'PROVIDER', wide: true, value: ({ spec }) => spec.provider ?? 'default' },
    { title: 'STRATEGY', wide: true, value: ({ spec }) => spec.strategy.type },
  ],
})

const typeWord = ({ type, source }: WorkloadSpec): string => (source ? (source.helm ? 'helm' : 'manifests') : type)
