import { faceOf } from '../face.ts'
import { restartsOf } from './restarts.ts'
import type { InstanceSpec } from './spec.ts'
import type { InstanceObjectStatus } from './status.ts'

export const instanceFace = faceOf<InstanceSpec, InstanceObjectStatus>()({
  kind: 'Instance',
  plural: 'instances',
  short: 'in',
  scope: 'tenant',
  madeBy: 'controllers',
  about: 'A slot of a workload on its provider, and what was seen of it there.',
  columns: [
    { title: 'WORKLOAD', value: ({ spec }) => spec.workload },
    { title: 'SLOT', value: ({ spec }) => spec.slot },
    { title: 'RELEASE', value: ({ spec }) => `v${spec.release}` },
    {
      title: 'STATE',
      value: ({ status }) => (status.blind ? 'unknown' : (status.state ?? 'unknown')),
      since: ({ status }) => status.blind?.since,
    },
    {
      title: 'READY',
      value: ({ spec, status }) => `${status.blind ? '?' : (status.readyReplicas ?? '?')}/${spec.replicas}`,
    },
    { title: 'RESTARTS', value: ({ status }) => String(restartsOf(status.replicas) ?? '-') },
    { title: 'PROVIDER', value: ({ spec }) => spec.provider },
    { title: 'WAITING FOR', wide: true, value: ({ status }) => status.waitingFor ?? '-' },
  ],
})
