import { faceOf } from '../face.ts'
import type { RolloutSpec } from './spec.ts'
import type { RolloutStatus } from './status.ts'

export const rolloutFace = faceOf<RolloutSpec, RolloutStatus>()({
  kind: 'Rollout',
  plural: 'rollouts',
  short: 'ro',
  scope: 'tenant',
  madeBy: 'controllers',
  about: 'The act of bringing a workload to a release under its strategy, and what came of it.',
  columns: [
    { title: 'WORKLOAD', value: ({ spec }) => spec.workload },
    { title: 'RELEASE', value: ({ spec }) => `v${spec.release}` },
    { title: 'STRATEGY', value: ({ spec }) => spec.strategy.type },
    { title: 'PHASE', value: ({ status }) => status.phase ?? 'pending' },
    { title: 'WAITING FOR', value: ({ status }) => status.waitingFor ?? '-' },
    { title: 'BY', wide: true, value: ({ spec }) => spec.createdBy ?? '-' },
    { title: 'MESSAGE', wide: true, value: ({ spec }) => spec.message ?? '-' },
    { title: 'TRIGGER', wide: true, value: ({ spec }) => spec.trigger },
    { title: 'STARTED', wide: true, value: ({ status }) => status.startedAt ?? '-' },
    { title: 'ENDED', wide: true, value: ({ status }) => status.endedAt ?? '-' },
  ],
})
