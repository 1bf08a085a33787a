/** Small valid answers. */
import { type KindName, kinds, type ObjectOf, type WrittenKindName } from '@gantry/core'

const specs = {
  Workload: { services: [{ name: 'web' }] },
  Route: { workload: 'web', hosts: ['web.example.com'] },
  Secret: {},
  Tenant: {},
  Provider: { type: 'local' },
  Release: {
    workload: 'web',
    number: 1,
    hash: '0'.repeat(64),
    services: [{ name: 'web' }],
    secretVersions: {},
    images: {},
  },
  Rollout: {
    workload: 'web',
    number: 1,
    release: 1,
    trigger: 'create',
    provider: 'local',
    type: 'deployment',
    strategy: { type: 'recreate' },
  },
  Instance: {
    workload: 'web',
    uid: 'uid-web',
    slot: 'a',
    provider: 'local',
    release: 1,
    replicas: 1,
    run: 'running',
    type: 'deployment',
    restart: {},
    update: { type: 'recreate', minReadySeconds: 0 },
    stopGraceSeconds: 10,
    expose: 'none',
    labels: {},
  },
} as const satisfies Record<KindName, object>

export function sample<Name extends KindName>(kind: Name, name = 'web', resourceVersion = 7): ObjectOf<Name> {
  const manifest = kinds[kind].parse({ apiVersion: 'gantry/v1', kind, metadata: { name }, spec: specs[kind] })
  const tenant = kinds[kind].scope === 'tenant' ? { tenant: 'shop' } : {}
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

export function input<Name extends WrittenKindName>(kind: Name, name = 'web') {
  return { apiVersion: 'gantry/v1' as const, kind, metadata: { name }, spec: specs[kind] }
}

export const sampleToken = {
  name: 'ci',
  role: 'operator',
  tenant: 'shop',
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: 'token:root',
} as const
