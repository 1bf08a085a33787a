import { defineKind } from '../define-kind.ts'
import { type RolloutSpec, rolloutFields } from './spec.ts'
import { rolloutStatus } from './status.ts'

export const rolloutKind = defineKind({
  kind: 'Rollout',
  plural: 'rollouts',
  short: 'ro',
  scope: 'tenant',
  madeBy: 'controllers',
  about: 'The act of bringing a workload to a release under its strategy, and what came of it.',
  spec: rolloutFields,
  status: rolloutStatus,
  complete: (written): RolloutSpec => written,
  columns: [
    { title: 'WORKLOAD', value: ({ spec }) => spec.workload },
    { title: 'RELEASE', value: ({ spec }) => `v${spec.release}` },
    { title: 'STRATEGY', value: ({ spec }) => spec.strategy.type },
    { title: 'PHASE', value: ({ status }) => status.phase ?? 'pending' },
    { title: 'WAITING FOR', value: ({ status }) => status.waitingFor ?? '-' },
    { title: 'TRIGGER', wide: true, value: ({ spec }) => spec.trigger },
    { title: 'STARTED', wide: true, value: ({ status }) => status.startedAt ?? '-' },
    { title: 'ENDED', wide: true, value: ({ status }) => status.endedAt ?? '-' },
  ],
})
