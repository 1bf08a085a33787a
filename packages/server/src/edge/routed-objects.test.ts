import type { GantryObject } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { routed } from './routed-objects.ts'

const metadata = {
  name: 'web',
  tenant: 'shop',
  uid: 'u1',
  labels: { team: 'a' },
  annotations: { 'gantry.dev/last-applied': '{}' },
  generation: 3,
  resourceVersion: 7,
  ownerRefs: [{ kind: 'Workload', name: 'web', uid: 'w1' }],
  finalizers: ['gantry.dev/workload'],
  createdAt: '2026-01-01T00:00:00.000Z',
  deletionRequestedAt: '2026-01-02T00:00:00.000Z',
}

const object = (kind: string, spec: object, status: object): GantryObject =>
  ({ apiVersion: 'gantry/v1', kind, metadata, spec, status }) as never

const condition = (type: string) => ({ type, status: 'True', reason: 'converged', message: '', since: '' })

describe('what is kept of an object', () => {
  it('is of a workload who answers, and why nobody does', () => {
    const port = { name: 'http', port: 8080, protocol: 'http' }
    const service = { name: 'web', role: 'main', image: 'web:1', env: { A: 'b' }, ports: [port] }
    const spec = { provider: 'here', run: 'running', replicas: 2, services: [service], source: { manifests: [] } }
    const status = { stable: 'a', release: 3, conditions: [condition('Ready'), condition('Progressing')] }
    expect(routed.Workload(object('Workload', spec, status))).toEqual({
      metadata: { name: 'web', tenant: 'shop', uid: 'u1', deletionRequestedAt: metadata.deletionRequestedAt },
      spec: {
        run: 'running',
        replicas: 2,
        services: [{ name: 'web', role: 'main', ports: [{ name: 'http', protocol: 'http' }] }],
        source: {},
      },
      status: { stable: 'a', conditions: [condition('Ready')] },
    })
  })

  it('is of a rollout whose it is, which one, and the shares', () => {
    const weights = { a: 90, b: 10 }
    const status = { weights, phase: 'running', since: '2026-01-01T00:00:00.000Z' }
    expect(routed.Rollout(object('Rollout', { number: 4, workload: 'web' }, status))).toEqual({
      metadata: { name: 'web', tenant: 'shop', ownerRefs: metadata.ownerRefs },
      spec: { number: 4 },
      status: { weights },
    })
  })

  it('is of an instance who was last seen, and whether somebody must answer throughout', () => {
    const update = { type: 'rolling', maxSurge: 1, maxUnavailable: 0, minReadySeconds: 0 }
    const kept = { workload: 'web', uid: 'w1', slot: 'a', provider: 'here', run: 'running', replicas: 1, update }
    const replicas = [
      { engineId: 'r1', ready: true, terminating: false, endpoints: [] },
      { engineId: 'r0', ready: false, terminating: true, endpoints: [] },
    ]
    const seen = replicas.map((each, index) => ({ ...each, index, release: 'v1', services: { web: { restarts: 3 } } }))
    const instance = object('Instance', { ...kept, release: 'v1' }, { replicas: seen, endpoints: [], drift: [] })
    expect(routed.Instance(instance)).toEqual({
      metadata: { name: 'web', tenant: 'shop', uid: 'u1', deletionRequestedAt: metadata.deletionRequestedAt },
      spec: kept,
      status: { replicas, endpoints: [] },
    })
  })

  it('is of a route everything', () => {
    const route = object('Route', { workload: 'web', hosts: ['web.example'] }, {})
    expect(routed.Route(route)).toBe(route)
  })
})
