import { describe, expect, it } from 'vitest'
import { quotaCounters } from './quota.ts'
import { tenantKind } from './tenant.ts'

const tenant = (spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'gantry/v1',
  kind: 'Tenant',
  metadata: { name: 'shop', ...metadata },
  spec,
})

describe('a tenant', () => {
  it('has no limits unless they are given', () => {
    expect(tenantKind.parse(tenant()).spec).toEqual({ quota: {} })
  })

  it('has a quota, with amounts in their canonical form', () => {
    const quota = { workloads: 5, replicas: 20, services: 40, cpu: 4.5, memory: '16384Mi', disk: '1e9', secrets: 0 }
    expect(Object.keys(quota)).toEqual(quotaCounters)
    expect(tenantKind.parse(tenant({ displayName: 'Ladenstraße 5', plan: 'gold', quota })).spec).toEqual({
      displayName: 'Ladenstraße 5',
      plan: 'gold',
      quota: { ...quota, cpu: '4500m', memory: '16Gi', disk: '1G' },
    })
  })

  it.each<[string, object, string, RegExp]>([
    ['a misspelt field', { qouta: {} }, 'spec.qouta', /did you mean "quota"/],
    ['a quota of something else', { quota: { pods: 1 } }, 'spec.quota.pods', /there are workloads, replicas/],
    ['a misspelt quota', { quota: { replica: 1 } }, 'spec.quota.replica', /did you mean "replicas"/],
    ['a count as text', { quota: { workloads: '5' } }, 'spec.quota.workloads', /a whole number|a number/],
    ['fewer than none', { quota: { secrets: -1 } }, 'spec.quota.secrets', /at least 0/],
    ['part of a replica', { quota: { replicas: 1.5 } }, 'spec.quota.replicas', /a whole number/],
    ['a negative amount', { quota: { cpu: -1 } }, 'spec.quota.cpu', /at least 0/],
    ['memory in megabytes', { quota: { memory: '64MB' } }, 'spec.quota.memory', /64Mi/],
    ['an amount that nobody can count', { quota: { disk: '1e-12' } }, 'spec.quota.disk', /quantity/],
    ['a limit that is nothing', { quota: { cpu: null } }, 'spec.quota.cpu', /is empty; write .*, or leave it out/],
    ['a plan with a space', { plan: 'very gold' }, 'spec.plan', /lower case/],
    ['an empty display name', { displayName: '' }, 'spec.displayName', /one line of at least one character/],
    ['a display name of two lines', { displayName: 'a\nb' }, 'spec.displayName', /one line/],
    ['a display name that moves the cursor', { displayName: 'a\u001b[2J' }, 'spec.displayName', /not allowed in text/],
    ['a display name without end', { displayName: 'x'.repeat(201) }, 'spec.displayName', /at most 200 characters/],
  ])('is refused with the path: %s', (_, spec, path, message) => {
    expect(tenantKind.check(tenant(spec))).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  it('belongs to no tenant', () => {
    expect(tenantKind.check(tenant({}, { tenant: 'shop' }))).toEqual([
      { path: 'metadata.tenant', message: expect.stringContaining('belongs to no tenant') },
    ])
  })

  it.each<[object, string[]]>([
    [{}, ['shop', '-', 'unlimited']],
    [{ displayName: 'The Shop', plan: 'gold' }, ['The Shop', 'gold', 'unlimited']],
    [{ quota: { secrets: 0, cpu: '4' } }, ['shop', '-', 'cpu 4, secrets 0']],
  ])('%j is shown as %j', (spec, cells) => {
    const manifest = tenantKind.parse(tenant(spec))
    const object = { ...manifest, metadata: { ...stored, ...manifest.metadata }, status: {} }
    expect(tenantKind.columns.map(({ value }) => value(object))).toEqual(cells)
  })
})

const stored = {
  uid: 'u',
  generation: 1,
  resourceVersion: 1,
  ownerRefs: [],
  finalizers: [],
  createdAt: '2026-01-01T00:00:00Z',
}
