import { readyWord, unknownSince } from '../columns.ts'
import { faceOf } from '../face.ts'
import type { ProviderStatus } from './provider.ts'
import type { ProviderSpec } from './spec.ts'

export const providerFace = faceOf<ProviderSpec, ProviderStatus>()({
  kind: 'Provider',
  plural: 'providers',
  short: 'pv',
  scope: 'system',
  about: 'An engine that workloads can run on: which adapter speaks to it, where it is, and which tenants may use it.',
  columns: [
    { title: 'TYPE', value: ({ spec }) => spec.type },
    { title: 'READY', value: readyWord, since: unknownSince },
    { title: 'REGION', value: ({ spec }) => spec.location.region ?? '-' },
    { title: 'VERSION', wide: true, value: ({ status }) => status.version ?? '-' },
    { title: 'TENANTS', wide: true, value: ({ spec }) => spec.tenants.join(',') || '-' },
  ],
})
