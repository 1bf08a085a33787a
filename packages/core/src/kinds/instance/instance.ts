import { defineKind } from '../define-kind.ts'
import { type InstanceSpec, instanceFields } from './spec.ts'
import { instanceStatus } from './status.ts'

/** Nothing of an instance is forgotten before its engine was seen to be rid of it. */
export const instanceFinalizer = 'gantry.dev/engine'

export const instanceKind = defineKind({
  kind: 'Instance',
  plural: 'instances',
  short: 'in',
  scope: 'tenant',
  madeBy: 'controllers',
  about: 'A slot of a workload on its provider, and what was seen of it there.',
  spec: instanceFields,
  status: instanceStatus,
  complete: (written): InstanceSpec => written,
  columns: [
    { title: 'WORKLOAD', value: ({ spec }) => spec.workload },
    { title: 'SLOT', value: ({ spec }) => spec.slot },
    { title: 'RELEASE', value: ({ spec }) => `v${spec.release}` },
    { title: 'STATE', value: ({ status }) => (status.blind ? 'unknown' : (status.state ?? 'unknown')) },
    { title: 'READY', value: ({ spec, status }) => `${status.readyReplicas ?? '?'}/${spec.replicas}` },
    { title: 'PROVIDER', value: ({ spec }) => spec.provider },
    { title: 'WAITING FOR', wide: true, value: ({ status }) => status.waitingFor ?? '-' },
  ],
})
