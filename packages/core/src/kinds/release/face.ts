import { faceOf } from '../face.ts'
import type { ReleaseSpec, ReleaseStatus } from './release.ts'

export const releaseFace = faceOf<ReleaseSpec, ReleaseStatus>()({
  kind: 'Release',
  plural: 'releases',
  short: 'rel',
  scope: 'tenant',
  madeBy: 'controllers',
  about: 'What a workload ran from some deploy on, kept whole, so that a rollback brings back all of it.',
  columns: [
    { title: 'WORKLOAD', value: ({ spec }) => spec.workload },
    { title: 'RELEASE', value: ({ spec }) => `v${spec.number}` },
    { title: 'BY', value: ({ spec }) => spec.createdBy ?? '-' },
    { title: 'CREATED', value: ({ metadata }) => metadata.createdAt },
    { title: 'MESSAGE', wide: true, value: ({ spec }) => spec.message ?? '-' },
  ],
})
