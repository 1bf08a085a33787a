import { z } from 'zod'
import { readyWord } from '../columns.ts'
import { defineKind } from '../define-kind.ts'
import { commonStatus } from '../envelope.ts'
import { providerRules } from './rules.ts'
import { type ProviderSpec, providerFields } from './spec.ts'

export const providerStatus = z.strictObject({ ...commonStatus })
export type ProviderStatus = z.output<typeof providerStatus>

export const providerKind = defineKind({
  kind: 'Provider',
  plural: 'providers',
  short: 'pv',
  scope: 'system',
  about: 'An engine that workloads can run on: which adapter speaks to it, where it is, and which tenants may use it.',
  spec: providerFields,
  status: providerStatus,
  complete: (written): ProviderSpec => written,
  rules: providerRules,
  reserved: { 'spec.connection': 'how to reach an engine comes with the providers that need to be told' },
  columns: [
    { title: 'TYPE', value: ({ spec }) => spec.type },
    { title: 'READY', value: readyWord },
    { title: 'REGION', value: ({ spec }) => spec.location.region ?? '-' },
    { title: 'TENANTS', wide: true, value: ({ spec }) => spec.tenants.join(',') || '-' },
  ],
})
