import { faceOf } from '../face.ts'
import type { Quota } from './quota.ts'
import type { TenantSpec, TenantStatus } from './tenant.ts'

export const tenantFace = faceOf<TenantSpec, TenantStatus>()({
  kind: 'Tenant',
  plural: 'tenants',
  short: 'tn',
  scope: 'system',
  about: 'Those who share an installation: each sees its own objects only, and has a quota.',
  columns: [
    { title: 'DISPLAY NAME', value: ({ metadata, spec }) => spec.displayName ?? metadata.name },
    { title: 'PLAN', value: ({ spec }) => spec.plan ?? '-' },
    { title: 'QUOTA', wide: true, value: ({ spec }) => quotaInWords(spec.quota) },
  ],
})

/** By what was written and not by the table of counters, which would bring the schema along. */
function quotaInWords(quota: Quota): string {
  const limits = Object.entries(quota).map(([counter, limit]) => `${counter} ${limit}`)
  return limits.length === 0 ? 'unlimited' : limits.join(', ')
}
