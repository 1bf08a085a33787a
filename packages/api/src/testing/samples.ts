/** Small valid answers. */
import { type KindName, type ObjectOf, parseObject } from '@gantry/core'

const specs = {
  Workload: { services: [{ name: 'web' }] },
  Secret: {},
  Tenant: {},
  Provider: { type: 'local' },
} as const satisfies Record<KindName, object>

export function sample<Name extends KindName>(kind: Name, name = 'web', resourceVersion = 7): ObjectOf<Name> {
  const manifest = parseObject({ apiVersion: 'gantry/v1', kind, metadata: { name }, spec: specs[kind] })
  const tenant = kind === 'Workload' || kind === 'Secret' ? { tenant: 'shop' } : {}
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      ...tenant,
      uid: `uid-${name}`,
      generation: 1,
      resourceVersion,
      ownerRefs: [],
      finalizers: [],
      createdAt: '2026-01-01T00:00:00.000Z',
    },
    status: {},
  } as unknown as ObjectOf<Name>
}

export function input<Name extends KindName>(kind: Name, name = 'web') {
  return { apiVersion: 'gantry/v1' as const, kind, metadata: { name }, spec: specs[kind] }
}

export const sampleToken = {
  name: 'ci',
  role: 'operator',
  tenant: 'shop',
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: 'token:root',
} as const
