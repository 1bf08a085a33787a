import { mergePatch, type SpecOf, workloadKind } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { deployPatch, rollbackPatch, scalePatch } from './patches.ts'

const spec = (more: object = {}): SpecOf<'Workload'> =>
  workloadKind.parse({
    apiVersion: 'gantry/v1',
    kind: 'Workload',
    metadata: { name: 'shop' },
    spec: {
      replicas: 2,
      services: [
        { name: 'web', image: 'app:1', env: { A: '1', B: '2' }, ports: [{ name: 'http', port: 80 }] },
        { name: 'log', role: 'sidecar', image: 'log:1' },
      ],
      ...more,
    },
  }).spec

const check = { tcp: { port: 'http' } }

describe('a deploy', () => {
  it('changes what it names, and leaves the other services as the spec has them', () => {
    const before = spec()
    const patch = deployPatch(before, { services: [{ name: 'web', image: 'app:2' }] }, 'now')
    expect(patch.services).toEqual([{ ...before.services[0], image: 'app:2' }, before.services[1]])
    expect(patch).not.toHaveProperty('deployStamp')
  })

  it.each([
    ['adds and replaces', { C: '3', A: 1 }, { A: '1', B: '2', C: '3' }],
    ['takes away with a dash', { 'A-': '', B: false }, { B: 'false' }],
  ])('%s variables', (_, env, after) => {
    expect(deployPatch(spec(), { services: [{ name: 'web', env }] }, 'now').services).toMatchObject([
      { env: after },
      {},
    ])
  })

  it('gives a health check, and takes it away again', () => {
    const given = deployPatch(spec(), { services: [{ name: 'web', healthCheck: check }] }, 'now')
    expect(given.services).toMatchObject([{ healthCheck: check }, {}])
    const with_ = spec({ services: [{ name: 'web', ports: [{ name: 'http', port: 80 }], healthCheck: check }] })
    const [web] = deployPatch(with_, { services: [{ name: 'web', healthCheck: null }] }, 'now').services as object[]
    expect(web).not.toHaveProperty('healthCheck')
  })

  it.each([
    ['nothing', {}],
    ['what is there already', { services: [{ name: 'web', image: 'app:1', env: { A: 1 } }] }],
  ])('of %s takes effect too, by its stamp', (_, body) => {
    expect(deployPatch(spec(), body, 'now').deployStamp).toBe('now')
  })

  it('ends what a rollback has pinned', () => {
    expect(deployPatch(spec({ secretVersions: { db: 1 } }), {}, 'now').secretVersions).toBeNull()
  })

  it('names the services that there are when it is asked for another', () => {
    expect(() => deployPatch(spec(), { services: [{ name: 'wep', image: 'x' }] }, 'now')).toThrow(
      expect.objectContaining({
        reason: 'service_not_found',
        issues: [{ path: 'services[0].name', message: 'names no service of this workload; there are web, log' }],
      }),
    )
  })

  it('takes a strategy whole when it names its type, and else only the fields that it has', () => {
    const canary = { type: 'canary', steps: [{ weight: 5, manual: true }] } as const
    const merged = (strategy: object) => mergePatch(spec(), deployPatch(spec(), { strategy }, 'now')) as object
    expect(merged(canary)).toMatchObject({ strategy: canary })
    expect((merged(canary) as SpecOf<'Workload'>).strategy).not.toHaveProperty('maxSurge')
    expect(merged({ maxSurge: 3 })).toMatchObject({ strategy: { type: 'rolling', maxSurge: 3, maxUnavailable: 0 } })
  })
})

describe('a scale', () => {
  it('of replicas alone makes no release', () => {
    expect(scalePatch(spec(), { replicas: 5 })).toEqual({ replicas: 5 })
  })

  it('changes what it names of the main service, or of another', () => {
    const { services } = scalePatch(spec(), { cpu: 0.5 }) as { services: object[] }
    expect(services).toMatchObject([{ resources: { cpu: '500m' } }, { resources: {} }])
    expect(scalePatch(spec(), { service: 'log', memory: '64Mi' }).services).toMatchObject([
      {},
      { resources: { memory: '64Mi' } },
    ])
  })

  it('of nothing is refused', () => {
    expect(() => scalePatch(spec(), {})).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })
})

describe('a rollback', () => {
  it('brings back services, versions of secrets and stamp', () => {
    const { services } = spec()
    expect(rollbackPatch({}, { services, secretVersions: { db: 2 }, stamp: 'then' })).toEqual({
      services,
      secretVersions: { db: 2 },
      deployStamp: 'then',
    })
  })

  it('to a release without secrets and stamp takes both away', () => {
    const { services } = spec()
    expect(rollbackPatch({}, { services, secretVersions: {} })).toEqual({
      services,
      secretVersions: null,
      deployStamp: null,
    })
  })

  it('between sources leaves nothing of the one that was there', () => {
    const helm = { chart: { path: '/charts/a' }, valuesFiles: [], values: 'vault:1', set: { a: '1', b: '2' } }
    const options = { wait: true, atomic: true, timeoutSeconds: 300, hooks: true, crds: true }
    const before = { source: { helm: { ...helm, ...options, releaseName: 'web' } } }
    const after = { helm: { ...helm, ...options, chart: { archive: 'vault:2' }, set: { a: '3' } } }
    const release = { services: [], source: after, secretVersions: {} }
    expect(mergePatch(before, rollbackPatch(before, release))).toMatchObject({ source: after })
    expect(mergePatch(before, rollbackPatch(before, release))).toEqual({ services: [], source: after })
    const back = { services: [], source: { manifests: { text: 'vault:3' } }, secretVersions: {} }
    expect(mergePatch(before, rollbackPatch(before, back))).toEqual({ services: [], source: back.source })
    expect(mergePatch(before, rollbackPatch(before, { services: [], secretVersions: {} }))).toEqual({ services: [] })
  })
})
